import type { World, WorldProject } from '../shape.js';
import { app } from './app.js';
import { groups } from './groups.js';
import { logo } from './logo.js';
import { people } from './people.js';

const site: WorldProject = {
  id: 2, path: 'acme/web/site', name: 'Site', visibility: 'private',
  issues: [{
    id: 73, iid: 1, title: 'The report page is empty in Safari', author: 'bob', created_at: '2024-05-08T07:30:00Z',
    discussions: [{
      id: 'ab2d8e9973892642469165228b09610cf3801dcd',
      notes: [{
        id: 401, author: 'ada', body: 'Only with the window narrower than the table.',
        created_at: '2024-05-08T08:00:00Z',
      }],
    }],
  }],
};

const handbook: WorldProject = {
  id: 3, path: 'open/handbook', name: 'Handbook', visibility: 'public',
  issues: [{
    id: 74, iid: 1, title: 'Explain how to report a lost message', author: 'eve', created_at: '2024-05-09T12:00:00Z',
    discussions: [{
      id: '24f402a11aa4b60b4dd6026a1053fdcf43b31fbc',
      notes: [
        { id: 501, author: 'eve', body: 'Which time zone do the reports use?', created_at: '2024-05-09T12:00:30Z' },
        { id: 502, author: 'ada', body: 'UTC, everywhere.', created_at: '2024-05-09T12:44:00Z' },
      ],
    }],
  }],
};

/** What the reference server holds when no world is named. Its times are fixed, so that every start shows the same. */
export const demoWorld: World = {
  settings: { epics: true, nested_epics: true, confidential_epics: true },
  users: [...people],
  groups: [...groups],
  projects: [app, site, handbook],
  appearance: {
    title: 'Colloquy', description: 'A reference server for **discussions**, **appearance** and **epic links**.',
    logo, header_message: 'This is the demo world.', footer_message: 'Nothing here is kept.',
    new_project_guidelines: 'Say in one sentence what the project is for.',
    profile_image_guidelines: 'A picture that your colleagues recognise.',
    message_background_color: '#1f6f8b', message_font_color: '#ffffff', email_header_and_footer_enabled: false,
  },
};

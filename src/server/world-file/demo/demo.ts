import type { World, WorldEpic, WorldGroup, WorldImage, WorldProject, WorldUser } from '../derived.js';
import { app } from './app.js';

/** An administrator, two colleagues, and a user without memberships. */
export const people: readonly WorldUser[] = [
  { id: 1, username: 'root', name: 'Administrator', admin: true, token: 'root-token' },
  { id: 2, username: 'ada', name: 'Ada', token: 'ada-token' },
  { id: 3, username: 'bob', name: 'Bob', token: 'bob-token' },
  { id: 4, username: 'eve', name: 'Eve', token: 'eve-token' },
];

const acmeEpics: readonly WorldEpic[] = [
  {
    id: 500, iid: 1, title: 'Reliable delivery', author: 'ada', labels: ['delivery', 'roadmap'],
    description: 'A message is delivered once, or somebody knows that it was not.',
    start_date: '2024-04-01', start_date_fixed: '2024-04-01', start_date_is_fixed: true,
    due_date: '2024-09-30', due_date_fixed: '2024-09-30', due_date_is_fixed: true, created_at: '2024-03-20T09:00:00Z',
    discussions: [{
      id: '386614c0823cf3e4f1d8823e5954a2764301127c',
      notes: [
        { id: 51, author: 'bob', body: 'Is "once" a promise we can keep?', created_at: '2024-03-21T10:15:00Z' },
        {
          id: 52, author: 'ada', body: 'With a key per message, yes. Without one it is "at least once".',
          created_at: '2024-03-21T10:32:18Z',
        },
      ],
    }],
  },
  {
    id: 501, iid: 2, title: 'Attempts', author: 'ada', parent: 500, labels: ['delivery'],
    description: 'Try again, but not for ever.', created_at: '2024-03-20T09:05:00Z',
  },
  {
    id: 502, iid: 3, title: 'Reports', author: 'bob', parent: 500,
    description: 'Tell the sender what became of a message.', created_at: '2024-03-20T09:06:00Z',
    discussions: [
      {
        id: 'bb2275bd8f5759c38f67b796871787809dc29cf0',
        notes: [{
          id: 53, author: 'bob', body: 'added epic &2 as related', system: true, created_at: '2024-03-22T08:00:00Z',
        }],
      },
      {
        id: 'eafabb2967f16cbafa2cdbfc3376dc8e9811748e',
        notes: [{
          id: 54, author: 'ada', body: 'A weekly mail is enough to begin with.', created_at: '2024-03-22T08:30:00Z',
        }],
      },
    ],
  },
  {
    id: 503, iid: 4, title: 'Prices', author: 'ada', confidential: true,
    description: 'What a guaranteed delivery may cost.', created_at: '2024-03-25T14:00:00Z',
  },
];

const webEpics: readonly WorldEpic[] = [
  {
    id: 504, iid: 1, title: 'Report page', author: 'bob', parent: 502,
    description: 'Sent, waiting, given up: one page.', created_at: '2024-04-02T09:00:00Z',
  },
  { id: 505, iid: 2, title: 'Report by mail', author: 'bob', parent: 502, created_at: '2024-04-02T09:01:00Z' },
];

/** A private group with a subgroup, and a public group; the epics of the first two form a tree of three levels. */
const groups: readonly WorldGroup[] = [
  {
    id: 1, path: 'acme', name: 'Acme', visibility: 'private',
    members: { ada: 'owner', bob: 'reporter' }, epics: [...acmeEpics],
  },
  { id: 2, path: 'acme/web', name: 'Web', visibility: 'private', members: { bob: 'maintainer' }, epics: [...webEpics] },
  { id: 3, path: 'open', name: 'Open', visibility: 'public', members: { ada: 'maintainer' } },
];

/** Two speech bubbles, 32 by 32 pixels. */
const logo: WorldImage = {
  file_name: 'logo.png',
  media_type: 'image/png',
  content: 'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAMAAABEpIrGAAAACVBMVEX///8fb4vypUHJAFahAAAAA3RSTlMA//9EUNYhAAAAWUlE'
    + 'QVR42t3TQQrAIAxE0R/vf+girQsj8XchXXRAN/NACQS+SaRYn0WEiN8BmyO0KRnkfhFLn0UNHmLg/kK/x5kBAoDtEwjgHcD6YtQU'
    + 'brsIClCAAtqpvb0AOygCifZVvskAAAAASUVORK5CYII=',
};

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

/** The default world. Its times are fixed, so that every start is the same. */
export const demoWorld: World = {
  settings: { epics: true, nested_epics: true, confidential_epics: true },
  users: [...people],
  groups: [...groups],
  projects: [app, site, handbook],
  appearance: {
    title: 'Colloquy', description: 'A test server for **discussions**, **appearance** and **epic links**.',
    logo, header_message: 'This is the demo world.', footer_message: 'Nothing here is kept.',
    new_project_guidelines: 'Say in one sentence what the project is for.',
    profile_image_guidelines: 'A picture that your colleagues recognise.',
    message_background_color: '#1f6f8b', message_font_color: '#ffffff', email_header_and_footer_enabled: false,
  },
};

import type {
  World, WorldCommit, WorldEpic, WorldGroup, WorldImage, WorldIssue, WorldProject, WorldSnippet, WorldUser,
} from '../schema.js';
import { comment, mergeRequest, note, queueDiff, thread } from './merge-request.js';

const issues: readonly WorldIssue[] = [
  {
    id: 71, iid: 7, title: 'Deliveries are lost when the receiver is down', author: 'bob',
    description: 'Seen twice this week. The message is written to a file that nobody reads.',
    created_at: '2024-05-02T07:55:00Z',
    discussions: [
      thread('20811c3b71d543bfed246d68ed046295efc172c4', [
        note(201, 'ada', 'How long was the receiver down?', '2024-05-02T08:30:00Z'),
        note(202, 'bob', 'Two seconds, then eleven.', '2024-05-02T08:41:19Z'),
        note(203, 'ada', 'Then trying again within three seconds helps in one of two cases. :thinking:',
          '2024-05-02T08:44:02Z'),
      ]),
      thread('9bc2b27b1b971c3994b122989ad1d9d2a3322856', [
        note(204, 'ada', 'assigned to @ada', '2024-05-02T08:45:00Z', { system: true }),
      ]),
      comment('87c821b733726e20b21fe5f9a93e5b078264103a',
        note(205, 'root', 'The receiver has a status page now: <https://status.example/>', '2024-05-03T10:00:00Z')),
    ],
  },
  {
    id: 72, iid: 8, title: 'Tokens in the delivery log', author: 'ada', confidential: true,
    description: 'The log shows the address with its token. Rotate the tokens before this is made public.',
    created_at: '2024-05-04T16:20:00Z',
    discussions: [thread('de25d7f61e8e1a1c228d5c40ff5c4baebbc10192', [
      note(206, 'ada', 'Rotated. The log is next.', '2024-05-04T17:05:33Z'),
    ])],
  },
];

const snippets: readonly WorldSnippet[] = [{
  id: 5, title: 'Deliver a test message', author: 'bob', description: 'curl, for when you just want to see an answer',
  created_at: '2024-04-18T11:11:00Z',
  discussions: [thread('08a394da53ebea87770db3ee225a13eea995ff0d', [
    note(101, 'ada', 'Could it print the status code too?', '2024-04-18T12:00:00Z'),
    note(102, 'bob', 'With `-w "%{http_code}"`. Added.', '2024-04-18T12:07:41Z'),
  ])],
}];

const commits: readonly WorldCommit[] = [{
  sha: 'fefbd7314e5e0b1a31b85261dbb492148585932f', parent_sha: 'c61a130270a5bb597c11256ef085086ee26b9fdf',
  title: 'Take the oldest message first', description: 'The newest one was taken.', author: 'ada',
  diff: queueDiff, created_at: '2024-05-01T15:30:00Z',
  discussions: [
    thread('cab11fbd4985ba2aeeffb849640f7d1e25b97583', [
      note(151, 'bob', 'Is `shift` slow on a long queue?', '2024-05-01T15:48:09Z',
        { position: { old_path: 'src/delivery/queue.ts', new_path: 'src/delivery/queue.ts', new_line: 7 } }),
    ]),
    thread('e75d34892445463d345587c4d8cb4ea5597b28a5', [
      note(152, 'ada', 'The queue never held more than forty messages.', '2024-05-01T16:02:00Z'),
    ]),
  ],
}];

const app: WorldProject = {
  id: 1, path: 'acme/app', name: 'App', visibility: 'private', members: { bob: 'developer' },
  issues: [...issues], snippets: [...snippets], merge_requests: [mergeRequest], commits: [...commits],
};

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
    discussions: [thread('386614c0823cf3e4f1d8823e5954a2764301127c', [
      note(51, 'bob', 'Is "once" a promise we can keep?', '2024-03-21T10:15:00Z'),
      note(52, 'ada', 'With a key per message, yes. Without one it is "at least once".', '2024-03-21T10:32:18Z'),
    ])],
  },
  {
    id: 501, iid: 2, title: 'Attempts', author: 'ada', parent: 500, labels: ['delivery'],
    description: 'Try again, but not for ever.', created_at: '2024-03-20T09:05:00Z',
  },
  {
    id: 502, iid: 3, title: 'Reports', author: 'bob', parent: 500,
    description: 'Tell the sender what became of a message.', created_at: '2024-03-20T09:06:00Z',
    discussions: [
      thread('bb2275bd8f5759c38f67b796871787809dc29cf0', [
        note(53, 'bob', 'added epic &2 as related', '2024-03-22T08:00:00Z', { system: true }),
      ]),
      thread('eafabb2967f16cbafa2cdbfc3376dc8e9811748e', [
        note(54, 'ada', 'A weekly mail is enough to begin with.', '2024-03-22T08:30:00Z'),
      ]),
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
    discussions: [thread('ab2d8e9973892642469165228b09610cf3801dcd', [
      note(401, 'ada', 'Only with the window narrower than the table.', '2024-05-08T08:00:00Z'),
    ])],
  }],
};

const handbook: WorldProject = {
  id: 3, path: 'open/handbook', name: 'Handbook', visibility: 'public',
  issues: [{
    id: 74, iid: 1, title: 'Explain how to report a lost message', author: 'eve', created_at: '2024-05-09T12:00:00Z',
    discussions: [thread('24f402a11aa4b60b4dd6026a1053fdcf43b31fbc', [
      note(501, 'eve', 'Which time zone do the reports use?', '2024-05-09T12:00:30Z'),
      note(502, 'ada', 'UTC, everywhere.', '2024-05-09T12:44:00Z'),
    ])],
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

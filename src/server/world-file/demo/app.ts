import type { WorldCommit, WorldIssue, WorldProject, WorldSnippet } from '../derived.js';
import { queueDiff } from './diffs.js';
import { mergeRequest } from './merge-request.js';

const issues: readonly WorldIssue[] = [
  {
    id: 71, iid: 7, title: 'Deliveries are lost when the receiver is down', author: 'bob',
    description: 'Seen twice this week. The message is written to a file that nobody reads.',
    created_at: '2024-05-02T07:55:00Z',
    discussions: [
      {
        id: '20811c3b71d543bfed246d68ed046295efc172c4',
        notes: [
          { id: 201, author: 'ada', body: 'How long was the receiver down?', created_at: '2024-05-02T08:30:00Z' },
          { id: 202, author: 'bob', body: 'Two seconds, then eleven.', created_at: '2024-05-02T08:41:19Z' },
          {
            id: 203, author: 'ada',
            body: 'Then trying again within three seconds helps in one of two cases. :thinking:',
            created_at: '2024-05-02T08:44:02Z',
          },
        ],
      },
      {
        id: '9bc2b27b1b971c3994b122989ad1d9d2a3322856',
        notes: [{ id: 204, author: 'ada', body: 'assigned to @ada', system: true, created_at: '2024-05-02T08:45:00Z' }],
      },
      {
        id: '87c821b733726e20b21fe5f9a93e5b078264103a',
        individual_note: true,
        notes: [{
          id: 205, author: 'root', body: 'The receiver has a status page now: <https://status.example/>',
          created_at: '2024-05-03T10:00:00Z',
        }],
      },
    ],
  },
  {
    id: 72, iid: 8, title: 'Tokens in the delivery log', author: 'ada', confidential: true,
    description: 'The log shows the address with its token. Rotate the tokens before this is made public.',
    created_at: '2024-05-04T16:20:00Z',
    discussions: [{
      id: 'de25d7f61e8e1a1c228d5c40ff5c4baebbc10192',
      notes: [{ id: 206, author: 'ada', body: 'Rotated. The log is next.', created_at: '2024-05-04T17:05:33Z' }],
    }],
  },
];

const snippets: readonly WorldSnippet[] = [{
  id: 5, title: 'Deliver a test message', author: 'bob', description: 'curl, for when you just want to see an answer',
  created_at: '2024-04-18T11:11:00Z',
  discussions: [{
    id: '08a394da53ebea87770db3ee225a13eea995ff0d',
    notes: [
      { id: 101, author: 'ada', body: 'Could it print the status code too?', created_at: '2024-04-18T12:00:00Z' },
      { id: 102, author: 'bob', body: 'With `-w "%{http_code}"`. Added.', created_at: '2024-04-18T12:07:41Z' },
    ],
  }],
}];

const commits: readonly WorldCommit[] = [{
  sha: 'fefbd7314e5e0b1a31b85261dbb492148585932f', parent_sha: 'c61a130270a5bb597c11256ef085086ee26b9fdf',
  title: 'Take the oldest message first', description: 'Take the oldest message first\n\nThe newest one was taken.\n',
  author: 'ada', diff: queueDiff, created_at: '2024-05-01T15:30:00Z',
  discussions: [
    {
      id: 'cab11fbd4985ba2aeeffb849640f7d1e25b97583',
      notes: [{
        id: 151, author: 'bob', body: 'Is `shift` slow on a long queue?', created_at: '2024-05-01T15:48:09Z',
        position: { old_path: 'src/delivery/queue.ts', new_path: 'src/delivery/queue.ts', new_line: 7 },
      }],
    },
    {
      id: 'e75d34892445463d345587c4d8cb4ea5597b28a5',
      notes: [{
        id: 152, author: 'ada', body: 'The queue never held more than forty messages.',
        created_at: '2024-05-01T16:02:00Z',
      }],
    },
  ],
}];

export const app: WorldProject = {
  id: 1, path: 'acme/app', name: 'App', visibility: 'private', members: { bob: 'developer' },
  issues: [...issues], snippets: [...snippets], merge_requests: [mergeRequest], commits: [...commits],
};

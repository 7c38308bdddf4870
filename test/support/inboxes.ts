import type { World } from '../../src/server/world-file/schema.js';
import { testApp, type WorldOptions } from './app.js';
import { testService } from './service.js';
import { acme } from './worlds.js';

type Notes = readonly (readonly [author: string, body: string, at?: string])[];

let note = 1_000;

/** Each thread has the notes in their order; the first author starts it. */
const mergeRequest = (iid: number, more: object, ...threads: readonly Notes[]) => ({
  id: 5_000 + iid, iid, title: `Change ${iid}`, author: 'owner', ...more,
  discussions: threads.map((notes) => ({
    notes: notes.map(([author, body, at = '2024-04-01T00:00:00.000Z']) => ({ id: ++note, author, body, created_at: at })),
  })),
});

const at = (day: number): string => `2024-04-${String(day).padStart(2, '0')}T00:00:00.000Z`;

/** Two projects of the group `acme` with open merge requests of which `developer` is author, reviewer or assignee. */
export const inboxWorld: World = {
  ...acme,
  projects: [
    {
      id: 20, path: 'acme/app', visibility: 'private', merge_requests: [
        mergeRequest(1, { author: 'developer' },
          [['guest', 'why?', at(10)], ['developer', 'because', at(11)], ['guest', 'hm @developer', at(20)]],
          [['reporter', 'see @developer', at(3)]]),
        mergeRequest(2, { reviewers: ['developer'] }, [['developer', 'rename it', at(5)], ['owner', 'no', at(6)], ['owner', 'really', at(21)]]),
        mergeRequest(3, { assignees: ['developer'], reviewers: ['developer'] }),
        mergeRequest(4, {}, [['guest', '@developer', at(1)]]),
        mergeRequest(5, { author: 'developer', state: 'merged' }, [['guest', 'late', at(1)]]),
      ],
    },
    { id: 21, path: 'acme/site', visibility: 'private', merge_requests: [
      mergeRequest(7, { reviewers: ['developer'], title: 'Red \u001b[31m' }, [['developer', 'x', at(15)], ['guest', 'y', at(16)]])] },
  ],
};

/** What waits longest first. */
export const inboxRefs = ['acme/app!2', 'acme/site!7', 'acme/app!1', 'acme/app!3'];

interface Entry { readonly ref: string; readonly [key: string]: unknown }

/** `discussions inbox` in the world, and `other` command lines. */
export const inboxRuns = async (options: WorldOptions = {}) => {
  const { run: other } = await testApp({ service: await testService({ dialect: 'live', world: inboxWorld }), ...options });
  const run = (...words: string[]) => other('discussions', 'inbox', ...words);
  const entries = async (...words: string[]) => JSON.parse((await run(...words, '--json')).out) as Entry[];
  return { other, run, entries, refs: async (...words: string[]) => (await entries(...words)).map(({ ref }) => ref) };
};

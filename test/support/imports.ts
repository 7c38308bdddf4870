import type { Discussion } from '../../src/contract/shapes/note.js';
import { fakeTime } from '../client/support/fake-time.js';
import { testApp, type Ran, type WorldOptions } from './app.js';
import { testService } from './service.js';

export const sha = (number: number) => number.toString(16).padStart(40, 'f');
const author = { id: 9, username: 'bob', name: 'Bob', state: 'active', avatar_url: null, web_url: 'https://b.example/bob' };

interface GivenNote {
  readonly body?: string;
  readonly system?: boolean;
  readonly resolved?: boolean;
  readonly internal?: boolean | null;
  readonly confidential?: boolean;
  readonly at?: number;
  readonly position?: object;
}

let count = 0;
export const thread = (notes: readonly GivenNote[], more: object = {}) => ({
  id: sha(++count), individual_note: false,
  notes: notes.map(({ body = 'text', system = false, resolved, at = count, position, internal, confidential }) => ({
    id: ++count, type: position ? 'DiffNote' : 'DiscussionNote', body, author, system, position, internal, confidential,
    created_at: new Date(Date.UTC(2023, 0, 1, 10, 0, at)).toISOString(),
    ...(resolved !== undefined && { resolvable: true, resolved }),
  })), ...more,
});

export const comment = (note: GivenNote) => thread([note], { individual_note: true });
export const lines = (...threads: object[]) => threads.map((one) => `${JSON.stringify(one)}\n`).join('');

let runs = 0;

/** Each program has random numbers of its own, from which it makes the ids of its calls. */
export const at = (service: Awaited<ReturnType<typeof testService>>, file: string, options: WorldOptions = {}) => testApp({
  service, time: fakeTime(++runs / 10_000), ...options, files: { f: file, ...options.files },
  env: { COLLOQUY_TOKEN: 'owner-token', ...options.env },
});

export const importInto = async (ref: string, file: string, words: readonly string[] = [], options: WorldOptions = {}) => {
  const service = options.service ?? await testService();
  const world = await at(service, file, options);
  const before = new Set((await listed(world, ref)).map(({ id }) => id));
  const ran = await world.run('discussions', 'import', ref, 'f', '--json', ...words);
  const created = (await listed(world, ref)).filter(({ id }) => !before.has(id));
  return { ...ran, service, world, created, result: ran.out === '' ? null : JSON.parse(ran.out) as Record<string, unknown> };
};

export const listed = async (world: Awaited<ReturnType<typeof testApp>>, ref: string) =>
  withoutReport(JSON.parse((await world.run('discussions', 'list', ref, '--json', '--retries', '0')).out) as Discussion[]);

/** The service adds it where an import resolves the last open thread. */
export const withoutReport = (threads: readonly Discussion[]): readonly Discussion[] =>
  threads.filter(({ notes: [first] }) => first?.system !== true || first.body !== 'resolved all threads');

export const posts = ({ sent }: Ran) => sent.filter(({ method }) => method !== 'GET').length;
export const bodies = (threads: readonly Discussion[]) => threads.map(({ notes }) => notes.map(({ body }) => body.replace(/\n\n<!--.*$/s, '')));

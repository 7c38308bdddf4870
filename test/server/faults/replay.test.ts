import { expect, it } from 'vitest';
import type { World } from '../../../src/server/index.js';
import { isJson } from '../../support/is-json.js';
import { started } from '../../support/sockets.js';

const workers = 16;
/** A multiple of the workers, so that each issue belongs to one of them. */
const issues = 32;
/** Enough for each outcome. */
const requests = 192;

const world: World = {
  users: [{ username: 'kim', token: 'kim-token' }],
  projects: [{ path: 'a/b', members: { kim: 'developer' }, issues: Array.from({ length: issues }, (_, i) => ({ iid: i + 1, title: `${i + 1}` })) }],
};

const rules = [
  'POST * => status 503 p=0.1', 'POST * => status 500 after p=0.1', 'POST * => late 20 p=0.1', 'GET * => stale p=0.1',
  '* => reset p=0.05', '* => reset after p=0.05', '* => truncate p=0.05', '* => garble p=0.05', '* => html p=0.05',
  '* => rate-limit 1 p=0.05', '* => stall 2 p=0.02', 'POST * => dribble 1 p=0.02', '* => latency 0..3 p=0.1',
  '* => respond {"status":418,"body":[]} p=0.05',
];

/** How a request ended for the client: its status and whether the body is JSON, or that the connection was closed. */
const outcomeOf = async (url: string, method: string, path: string, body?: string): Promise<string> => {
  try {
    const headers = { 'private-token': 'kim-token', 'content-type': 'application/json' };
    const response = await fetch(`${url}/api/v4${path}`, { method, headers, ...(body !== undefined && { body }) });
    const text = await response.text();
    return `${response.status} ${isJson(text) ? 'JSON' : 'other'}`;
  } catch {
    return 'closed';
  }
};

interface Note { readonly body: string }

/** The bodies of all notes, once the late ones are stored. */
const storedNotes = async (url: string): Promise<string[]> => {
  const bodies: string[] = [];
  for (let iid = 1; iid <= issues; iid++) {
    const response = await fetch(`${url}/api/v4/projects/a%2Fb/issues/${iid}/notes?per_page=100`, { headers: { 'private-token': 'kim-token' } });
    bodies.push(...(await response.json() as Note[]).map(({ body }) => body));
  }
  return bodies.sort();
};

/**
 * Sends requests, 16 at a time: no two with the same path at once, as the order in which those arrive is not defined.
 * Returns the outcome of each, and the notes that are stored afterwards.
 */
const replay = async (seed: number, count: number) => {
  const delays: Promise<void>[] = [];
  const sleep = (milliseconds: number) => {
    const delay = new Promise<void>((resolve) => { setTimeout(resolve, milliseconds); });
    delays.push(delay);
    return delay;
  };
  const { url, faults, close } = await started({ world, sleep });
  await faults(rules, seed);
  const outcomes: string[] = [];
  await Promise.all(Array.from({ length: workers }, async (_, worker) => {
    for (let i = worker; i < count; i += workers) {
      const path = `/projects/a%2Fb/issues/${i % issues + 1}/notes`;
      const reads = (i + Math.floor(i / issues)) % 3 === 0;
      outcomes[i] = reads ? await outcomeOf(url, 'GET', path) : await outcomeOf(url, 'POST', path, `{"body":"note ${i}"}`);
    }
  }));
  await faults([]);
  await Promise.all(delays);
  // Writes are stored in order, so this one is stored after all late ones.
  await outcomeOf(url, 'POST', '/projects/a%2Fb/issues/1/notes', '{"body":"the end"}');
  const stored = await storedNotes(url);
  await close();
  return { outcomes, stored };
};

it('requests with random faults, 16 at a time, end the same in every replay of a seed', async () => {
  const first = await replay(7, requests);
  expect(new Set(first.outcomes)).toEqual(new Set([
    'closed', '200 JSON', '200 other', '201 JSON', '201 other', '418 JSON', '429 other', '500 JSON', '502 other', '503 JSON', '504 JSON',
  ]));
  expect(await replay(7, requests)).toEqual(first);
  expect((await replay(8, requests)).outcomes).not.toEqual(first.outcomes);
}, 60_000);

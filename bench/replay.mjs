/**
 * 2,000 requests with random faults, 16 at a time over sockets, replayed from the seed on new servers: whether each
 * request ends in the same way, whether the same notes are stored afterwards, and whether each rule was applied as
 * often. Exits with 1 and the first differences if not.
 *
 *   node bench/replay.mjs [requests] [seed]
 */
import { Agent, request } from 'node:http';
import { startServer } from '../dist/lib/server/index.js';

const [requests = 2_000, seed = 7] = process.argv.slice(2).map(Number);
const workers = 16;
const replays = 3;
/** A multiple of the workers, so that each issue belongs to one: requests to one path at once have no defined order. */
const issues = 64;

const world = {
  users: [{ username: 'kim', token: 'kim-token' }],
  projects: [{
    path: 'a/b', members: { kim: 'developer' },
    issues: Array.from({ length: issues }, (_, i) => ({ iid: i + 1, title: `${i + 1}` })),
  }],
};

const rules = [
  'POST * => status 503 p=0.1', 'POST * => status 500 after p=0.1', 'POST * => late 20 p=0.1', 'GET * => stale p=0.1',
  '* => reset p=0.05', '* => reset after p=0.05', '* => truncate p=0.05', '* => garble p=0.05', '* => html p=0.05',
  '* => rate-limit 1 p=0.05', '* => stall 2 p=0.02', '* => stall 2 after p=0.02', 'POST * => dribble 1 p=0.02',
  '* => latency 0..3 p=0.1', '* => respond {"status":418,"body":[]} p=0.05',
];

const agent = new Agent({ keepAlive: true, maxSockets: workers });

/** How a request ends for the client: its status, whether the response is complete, and whether it is JSON. */
const send = (url, method, path, body) => new Promise((resolve) => {
  let status = 0;
  let text = '';
  const end = (how) => resolve(`${status} ${how}${how === 'complete' && isJson(text) ? ' JSON' : ''}`);
  const headers = {
    'private-token': 'kim-token', 'content-type': 'application/json', ...(body && { 'content-length': body.length }),
  };
  const sent = request(`${url}/api/v4${path}`, { agent, method, headers }, (response) => {
    status = response.statusCode;
    response.setEncoding('utf8').on('data', (part) => { text += part; });
    response.on('end', () => end('complete')).on('error', () => end('closed'));
  });
  sent.on('error', () => end('closed')).end(body);
});

const isJson = (text) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const notesPath = (issue) => `/projects/a%2Fb/issues/${issue + 1}/notes`;

/** The bodies of all notes, sorted: the order of late ones depends on the time. */
const storedNotes = async (server) => {
  const { projects: [{ issues: all }] } = await server.world();
  const notes = all.flatMap(({ discussions = [] }) => discussions.flatMap((thread) => thread.notes));
  return notes.map(({ body }) => body).sort();
};

/** Waits until no late change has been stored for a while: the end of the server would drop them. */
const settledNotes = async (server, former = []) => {
  await new Promise((resolve) => { setTimeout(resolve, 200); });
  const stored = await storedNotes(server);
  return stored.length === former.length ? stored : settledNotes(server, stored);
};

const replay = async (from) => {
  const server = await startServer({ world, faults: rules, faultSeed: from });
  const outcomes = [];
  await Promise.all(Array.from({ length: workers }, async (_, worker) => {
    for (let i = worker; i < requests; i += workers) {
      const path = notesPath(i % issues);
      const isRead = (i + Math.floor(i / issues)) % 3 === 0;
      const outcome = isRead ? send(server.url, 'GET', path)
        : send(server.url, 'POST', path, `{"body":"note ${i}"}`);
      outcomes[i] = await outcome;
    }
  }));
  const { rules: applied } = await server.faults();
  await server.faults([]);
  const stored = await settledNotes(server);
  await server.close();
  return { outcomes, stored, hits: applied.map(({ on, do: fault, hits }) => `${on} => ${fault}: ${hits}`) };
};

/** The first differences between two lists. */
const differences = (one, other) => Array.from({ length: Math.max(one.length, other.length) }, (_, i) => i)
  .filter((i) => one[i] !== other[i]).slice(0, 5).map((i) => `    ${i}: ${one[i]} / ${other[i]}`);

const counted = (list) => [...new Set(list)].sort()
  .map((one) => `${one}: ${list.filter((other) => other === one).length}`);

console.log(`\nReplay of ${requests} requests, ${workers} at a time, with seed ${seed} (Node ${process.version})`);
const first = await replay(seed);
console.log(`  outcomes  ${counted(first.outcomes).join('  ')}`);
console.log(`  hits      ${first.hits.map((text) => text.split(': ').pop()).join(' ')}`);
console.log(`  stored    ${first.stored.length} notes`);

let failed = false;
for (let i = 1; i <= replays; i++) {
  const again = await replay(seed);
  for (const [name, list] of Object.entries(first)) {
    const found = differences(list, again[name]);
    failed ||= found.length > 0;
    if (found.length > 0) console.log(`  replay ${i}: different ${name}\n${found.join('\n')}`);
  }
}
const others = differences(first.outcomes, (await replay(seed + 1)).outcomes).length;
if (others === 0) console.log(`  seed ${seed + 1} gives the same outcomes`);
failed ||= others === 0;
console.log(failed ? '  the replays differ'
  : `  ${replays} replays have the same outcomes, hits and notes; another seed has others`);
agent.destroy();
process.exitCode = failed ? 1 : 0;

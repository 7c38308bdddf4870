import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../../src/cli/run.js';
import { ran, testApp, type WorldOptions } from '../../support/app.js';
import { everyRow } from '../../support/rows.js';

let folder: string;
beforeEach(async () => { folder = await mkdtemp(join(tmpdir(), 'colloquy-serve-')); });
afterEach(() => rm(folder, { recursive: true }));

/** Serves until `visit` is done with the line that names the address. */
const serving = async <T>(flags: readonly string[], visit: (ready: string) => Promise<T>, options: WorldOptions = {}) => {
  const world = await testApp(options);
  let told: (text: string) => void;
  const ready = new Promise<string>((resolve) => { told = resolve; });
  const printed: string[] = [];
  const out = { ...world.app.out, write: async (text: string) => { printed.push(text); told(text); } };
  const said: string[] = [];
  const err = { ...world.app.err, write: async (text: string) => { said.push(text); } };
  const end = run(['serve', ...flags], { ...world.app, out, err });
  const seen = await Promise.race([ready.then(visit), end.then((code) => { throw new Error(`ended with ${code}`); })]);
  world.stop.abort();
  return { code: await end, seen, world, said, printed };
};

/** The status of the response to a request with another Host header, which fetch cannot set. */
const statusFor = (url: string, host: string) => new Promise<number>((resolve, reject) => {
  get(url, { headers: { host }, agent: false }, (response) => resolve(response.resume().statusCode!)).on('error', reject);
});

/** Sends requests one after another, each with the token of a user. */
const sending = (...requests: readonly (readonly [method: string, target: string, user: string])[]) => async (ready: string) => {
  const { url } = ready.startsWith('{') ? JSON.parse(ready) as { url: string } : { url: ready.trim() };
  for (const [method, target, user] of requests) {
    await (await fetch(url + target, { method, headers: { 'private-token': `${user}-token` } })).text();
  }
  return url;
};

it('has the time of a clean-up to answer what is in flight, and to remove its ready file', async () => {
  const { code, world } = await serving([], async () => undefined);
  expect([code, world.app.activity.isCleaningUp]).toEqual([0, true]);
});

it('serves the version and tier of its flags', async () => {
  const { seen } = await serving(['--service-version', '12.6', '--tier', 'free'], async (ready) => {
    const get = async (path: string) => {
      const response = await fetch(`${ready.trim()}/api/v4${path}`, { headers: { 'private-token': 'root-token' } });
      return [response.status, await response.json()];
    };
    return [await get('/version'), await get('/application/appearance'), await get('/groups/acme/epics')];
  });
  expect(seen).toEqual([
    [200, { version: '12.6.0-ee', revision: 'colloquy' }], [404, { error: '404 Not Found' }], [403, { message: '403 Forbidden' }]]);
});

it.each([
  [[], 201], [['--dialect', 'live'], 202], [['--quick-actions', 'on'], 202], [['--dialect', 'live', '--quick-actions', 'off'], 201],
])('runs quick actions by default in the live dialect: serve %j', async (flags, status) => {
  const { seen } = await serving(flags, async (ready) => {
    const headers = { 'private-token': 'root-token', 'content-type': 'application/json' };
    return (await fetch(`${ready.trim()}/api/v4/projects/acme%2Fapp/issues/7/notes`, { method: 'POST', headers, body: '{"body":"/close"}' })).status;
  });
  expect(seen).toBe(status);
});

it('serve rejects an invalid version and an unknown tier', async () => {
  expect(await ran('serve', '--service-version', 'new')).toMatchObject({
    code: 2, err: expect.stringContaining('invalid value "new" for --service-version <version>\nuse a version such as 12.7 or 13.12.0-ee') });
  expect(await ran('serve', '--tier', 'gold')).toMatchObject({ code: 2, err: expect.stringContaining('choose one of: free, premium, ultimate') });
});

describe('serve at a terminal', () => {
  it('prints its address on stdout, and on stderr its tokens, how to use it and what it contains', async () => {
    const { seen: url, printed, said } = await serving([], sending(), { terminal: true });
    expect(printed).toEqual([`${url}\n`]);
    expect(said.join('').replace(/#[0-9a-f]{32}/, '#TOKEN')).toBe(`tokens
  root  root-token
  ada   ada-token
  bob   bob-token
  eve   eve-token
to use it in another shell
  export COLLOQUY_URL=${url}
  export COLLOQUY_TOKEN=root-token
  export COLLOQUY_PROJECT=acme/app COLLOQUY_GROUP=acme
inspector  ${url}/-/#TOKEN
world      4 users, 3 groups, 3 projects, 1 merge request, 4 issues, 1 snippet, 2 commits, 6 epics,
           19 threads
data       in memory; nothing is kept
press Ctrl-C to stop
`);
  });

  it('prints one line for each request on stderr, without secrets, and with the nearest route for a missing one', async () => {
    const { said } = await serving([], sending(
      ['GET', '/api/v4/user', 'ada'], ['DELETE', '/api/v4/projects/1?private_token=S3cret', 'bob'], ['GET', '/api/v4/userz', 'ada'],
      ['GET', '/-/health', 'ada'],
    ), { terminal: true, columns: 200 });
    expect(said.slice(1).map((line) => line.replace(/[\d.]+ ms/, 'N ms'))).toEqual([
      '200 GET    /api/v4/user  N ms  ada\n',
      '404 DELETE /api/v4/projects/1?private_token=[redacted]  N ms  -  no such route; nearest GET /api/v4/projects/:id\n',
      '404 GET    /api/v4/userz  N ms  -  no such route; nearest GET /api/v4/user\n',
    ]);
  });

  it('says once what an operation does not read, and rejects it with --reject-unread', async () => {
    const lines = async (...flags: string[]) => {
      const { said } = await serving(flags, sending(['GET', '/api/v4/user?colour=red', 'ada'], ['GET', '/api/v4/user?colour=red', 'ada']),
        { terminal: true, columns: 200 });
      return said.slice(1).map((line) => line.replace(/[\d.]+ ms/, 'N ms'));
    };
    const [first, second] = ['/api/v4/user?colour=red  N ms  ada  does not read colour\n', '/api/v4/user?colour=red  N ms  ada\n'];
    expect(await lines()).toEqual([`200 GET    ${first}`, `200 GET    ${second}`]);
    expect(await lines('--reject-unread')).toEqual([`400 GET    ${first}`, `400 GET    ${second}`]);
  });

  it('prints nothing on stderr with --quiet', async () => {
    const { said, printed } = await serving(['--quiet'], sending(['GET', '/api/v4/user', 'ada']), { terminal: true });
    expect(said).toEqual([]);
    expect(printed).toHaveLength(1);
  });

  it('opens the inspector with --open by an address that works once and does not have the token', async () => {
    const opened: string[] = [];
    const world = await testApp({ terminal: true });
    const tools = { ...world.app.tools, openUrl: async (url: string) => { opened.push(url); return true; } };
    const end = run(['serve', '--open'], { ...world.app, tools });
    await expect.poll(() => opened).toHaveLength(1);
    const answers = [await fetch(opened[0]!, { redirect: 'manual' }), await fetch(opened[0]!, { redirect: 'manual' })];
    world.stop.abort();
    await end;
    expect(answers.map(({ status }) => status)).toEqual([303, 410]);
    expect(opened[0]).not.toContain(answers[0]!.headers.get('location')!.split('#')[1]);
  });

  it('shows the tokens of its world even if one of them is the token of the environment', async () => {
    const { said } = await serving([], sending(), { terminal: true, env: { COLLOQUY_TOKEN: 'root-token' } });
    expect(said.join('')).toContain('export COLLOQUY_TOKEN=root-token\n');
  });

  it('names the place of its data without a password, and says when no tokens are known', async () => {
    const data = join(folder, 'data.db');
    const file = join(folder, 'world.yaml');
    await writeFile(file, 'users:\n  - { username: kim, token: kim-token }\n');
    await serving(['--world', file, '--data', data], sending());
    const { said } = await serving(['--data', data], sending(), { terminal: true });
    expect(said.join('')).toContain(`data       ${data}\n`);
    expect(said.join('')).toContain('no tokens are known');
    expect(said.join('')).not.toContain('COLLOQUY_TOKEN');
  });

  it('prints lines and writes the --log too', async () => {
    const { said, world } = await serving(['--log', 'log.ndjson'], sending(['GET', '/api/v4/userz', 'ada']), { terminal: true });
    expect(said).toHaveLength(2);
    expect(JSON.parse(world.appended['log.ndjson']!)).toMatchObject({ missing: 'GET /api/v4/userz; nearest GET /api/v4/user' });
  });
});

it('serve --proxy prints no token of its world, which the service rejects', async () => {
  for (const terminal of [true, false]) {
    const { said } = await serving(['--proxy', 'http://127.0.0.1:9'], async (ready) => ready, { terminal });
    expect([said.join('').includes('export COLLOQUY_URL='), said.join('').includes('root-token')]).toEqual([true, false]);
  }
  const { seen, world } = await serving(['--proxy', 'http://127.0.0.1:9', '--json', '--ready-file', 'ready.json'], async (line) => line);
  expect(JSON.parse(seen)).toHaveProperty('tokens', {});
  expect(world.fileWrites[0]).toEqual(['ready.json', seen]);
});

describe('serve with a world', () => {
  const world = 'users:\n  - { username: kim, token: kim-token }\nprojects:\n  - { path: acme/app }\n';

  it('says that stored data is served instead, and how to load the world', async () => {
    const [data, file] = [join(folder, 'data.db'), join(folder, 'world.yaml')];
    await writeFile(file, world);
    const start = async (...flags: string[]) => (await serving(['--world', file, '--data', data, ...flags], sending())).said;
    const notice = `serving the data of ${data}: ${file} was not loaded\n`
      + 'to load it, send POST /-/reset, which replaces the data, or name a new place with --data\n';
    expect((await start()).includes(notice)).toBe(false);
    expect((await start()).includes(notice)).toBe(true);
    expect((await start('--json')).includes(notice)).toBe(true);
    expect(await start('--quiet')).toEqual([]);
  });

  it.each(['', '# empty\n', '{}', 'settings: { epics: true }\n'])('says that %j has nothing to comment on', async (text) => {
    const file = join(folder, 'world.yaml');
    await writeFile(file, text);
    const said = async (...flags: string[]) => (await serving(['--world', file, ...flags], sending())).said;
    const notice = `${file} has neither groups nor projects: only users and the appearance are served\n`
      + 'add some as `colloquy help world-schema` describes them\n';
    expect((await said()).includes(notice)).toBe(true);
    await writeFile(file, world);
    expect((await said()).includes(notice)).toBe(false);
  });

  it('names the option for a file that is an argument', async () => {
    const { run: runHere } = await testApp({ files: {
      'world.yaml': world, "it's a world.json": '{}', 'faults.yaml': 'rules:\n  - { on: "*", do: reset }\n',
    } });
    const rows: [string, string][] = [
      ['world.yaml', 'did you mean serve --world world.yaml?'], ['none.yaml', 'did you mean serve --world none.yaml?'],
      ["it's a world.json", "did you mean serve --world 'it'\\''s a world.json'?"],
      ['faults.yaml', 'did you mean serve --fault @faults.yaml?'], ['dif', 'did you mean diff? choose one of: diff, recording'],
      ['x', 'choose one of: diff, recording'],
    ];
    await everyRow(rows, ([word]) => word, async ([word, hint]) => {
      expect(await runHere('serve', word)).toMatchObject({
        code: 2, out: '', err: `colloquy: invalid value ${JSON.stringify(word)} for task\n${hint}\n` });
    });
  });
});

describe('serve in a pipe', () => {
  it.each([
    ['without flags'], ['with --json', '--json'],
  ])('prints one line on stdout, and on stderr how to use it and the address of the inspector, %s', async (_, ...flags) => {
    const { said, printed } = await serving(flags, sending(['GET', '/api/v4/user', 'ada'], ['GET', '/api/v4/userz', 'ada']));
    const exported = `export COLLOQUY_URL=${printed[0]!.trim()}\nexport COLLOQUY_TOKEN=root-token\n`
      + 'export COLLOQUY_PROJECT=acme/app COLLOQUY_GROUP=acme\n';
    expect(said.map((text) => text.replace(exported, '[exports]\n'))).toEqual([expect.stringMatching(
      new RegExp(`^${flags.length > 0 ? '' : '\\[exports\\]\n'}inspector: http://127\\.0\\.0\\.1:\\d+/-/#[0-9a-f]{32}\n$`))]);
    expect(printed).toEqual([expect.stringMatching(/^.+\n$/)]);
  });
});

describe('serve with faults, a clock and a seed', () => {
  const control = (path: string) => async (ready: string) => (await fetch(ready.trim() + path)).json();

  it('takes rules from flags and files, in their order', async () => {
    const { seen } = await serving(['--fault', '* => status 500 p=0.5 times=2', '--fault', '@faults.yaml', '--fault', 'GET * => stale'],
      control('/-/faults'), { files: { 'faults.yaml': 'seed: 5\nrules:\n  - { on: "*", do: latency 1..2, user: ada }\n' } });
    expect(seen).toEqual({ seed: 5, rules: [
      { on: '*', do: 'status 500', probability: 0.5, times: 2, hits: 0 }, { on: '*', do: 'latency 1..2', user: 'ada', hits: 0 },
      { on: 'GET *', do: 'stale', hits: 0 }] });
  });

  it('takes the seed of the flag rather than that of a file', async () => {
    const { seen } = await serving(['--fault', '@faults.json', '--fault-seed', '9'], control('/-/faults'),
      { files: { 'faults.json': '{"seed":5,"rules":[]}' } });
    expect(seen).toEqual({ seed: 9, rules: [] });
  });

  it('starts with the given time', async () => {
    const { seen } = await serving(['--now', '2024-05-01T12:00:00+02:00'], control('/-/clock'));
    expect(seen).toEqual({ now: '2024-05-01T10:00:00.000Z', frozen: true });
  });

  it('gives the same ids with the same seed', async () => {
    const idOf = async (ready: string) => (await (await fetch(`${ready.trim()}/api/v4/projects/acme%2Fapp/issues/7/discussions`, {
      method: 'POST', headers: { 'private-token': 'ada-token' }, body: new URLSearchParams({ body: 'x' }),
    })).json() as { id: string }).id;
    const [one, same, other] = await Promise.all(['3', '3', '4'].map(async (seed) => (await serving(['--seed', seed], idOf)).seen));
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });

  it.each([
    [['--fault', '* => statis 500'], 'fault rule 1, do: unknown fault "statis 500"; did you mean status?'],
    [['--fault', '* => stale', '--fault', 'PSOT /x => reset'], 'fault rule 2, on: unknown method "PSOT"; did you mean POST?'],
    [['--fault', '@none.yaml'], 'cannot read none.yaml: no such file'],
    [['--fault', '@list.yaml'], 'fault rule 1: no "ON => DO" in "a"'],
    [['--now', 'soon'], 'invalid time "soon"'], [['--seed', 'x'], 'invalid value "x" for --seed'],
    [['--fault-seed', '-1'], 'invalid value "-1" for --fault-seed'],
  ])('rejects %j before it starts', async (flags, message) => {
    const { code, out, err } = await (await testApp({ files: { 'list.yaml': '- a\n' } })).run('serve', ...flags);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });
});

describe('serve', () => {
  it('prints one line with its address, responds, and exits with 0 when stopped', async () => {
    const { code, seen } = await serving([], async (ready) => (await fetch(`${ready.trim()}/-/health`)).json());
    expect({ code, seen }).toEqual({ code: 0, seen: { status: 'ok' } });
  });

  it('prints address, process id and tokens as JSON', async () => {
    const { seen } = await serving(['--json'], async (ready) => {
      const { url, pid, tokens } = JSON.parse(ready) as { url: string; pid: number; tokens: Record<string, string> };
      const answer = await fetch(`${url}/api/v4/user`, { headers: { 'private-token': tokens['root']! } });
      return { pid, user: (await answer.json() as { username: string }).username, lines: ready.split('\n').length };
    });
    expect(seen).toEqual({ pid: 4711, user: 'root', lines: 2 });
  });

  it('shows slow steps on a terminal: reading a world and copying a store', async () => {
    const [file, data, copy] = ['\u001bworld.json', 'world.db', 'copy.db'].map((name) => join(folder, name));
    await writeFile(file!, '{"groups":[{"path":"acme"}]}');
    for (const isTerminal of [true, false]) {
      const said: string[] = [];
      const world = await testApp();
      const err = { ...world.app.err, isTerminal, columns: 200, write: async (text: string) => { said.push(text); } };
      const out = { ...world.app.out, write: async () => { world.stop.abort(); } };
      await run(['serve', '--world', file!, '--data', data!, '--json'], { ...world.app, out, err });
      const line = `\rreading ${join(folder, '\\u001bworld.json')} …\x1b[K`;
      const before = isTerminal ? [line, '\r\x1b[K'] : [expect.stringContaining(`\\u001bworld.json was not loaded\n`)];
      expect(said).toEqual([...before, expect.stringMatching(/^inspector: /)]);
    }
    const said: string[] = [];
    const { app } = await testApp();
    const err = { ...app.err, isTerminal: true, columns: 200, write: async (text: string) => { said.push(text); } };
    expect(await run(['serve', '--data', data!, '--backup', copy!], { ...app, err })).toBe(0);
    expect(said).toEqual([`\rcopying ${data} …\x1b[K`, '\r\x1b[K']);
  });

  it('loads a world file, keeps data, and logs and limits requests', async () => {
    const file = join(folder, 'world.yaml');
    await writeFile(file, 'users:\n  - { username: kim, token: kim-token }\n');
    const flags = ['--world', file, '--data', join(folder, 'data.db'), '--log', 'log.ndjson', '--rate-limit', '2/min',
      '--latency', '1', '--dialect', 'live', '--json'];
    const { seen, world } = await serving(flags, async (ready) => {
      const { url, tokens } = JSON.parse(ready) as { url: string; tokens: Record<string, string> };
      const ask = () => fetch(`${url}/api/v4/user`, { headers: { 'private-token': 'kim-token' } }).then(({ status }) => status);
      return { tokens, statuses: [await ask(), await ask(), await ask()] };
    });
    expect(seen).toEqual({ tokens: { kim: 'kim-token' }, statuses: [200, 200, 429] });
    const lines = world.appended['log.ndjson']!.trim().split('\n').map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([{ status: 200 }, { status: 200 }, { status: 429 }]);
    expect(world.appended['log.ndjson']).not.toContain('kim-token');
  });

  it('reports in two lines that its data was removed, and what to do', async () => {
    const file = join(folder, 'data.db');
    const { seen, said } = await serving(['--data', file, '--json'], async (ready) => {
      const { url, tokens } = JSON.parse(ready) as { url: string; tokens: Record<string, string> };
      await rm(`${file}-wal`);
      const headers = { 'private-token': tokens['root']!, 'content-type': 'application/json' };
      return (await fetch(`${url}/api/v4/application/appearance`, { method: 'PUT', headers, body: '{"title":"Late"}' })).status;
    });
    expect(seen).toBe(503);
    expect(said.slice(1).map((text) => text.replace(/[0-9a-f]{32}/, 'ID'))).toEqual([
      `request ID failed: ${file}-wal was removed or replaced while it was open\nrestart the server; all acknowledged changes are in ${file}\n`]);
  });

  it('rejects an address that others can reach without explicit consent', async () => {
    expect(await ran('serve', '--host', '0.0.0.0')).toMatchObject({ code: 2, out: '' });
    expect((await serving(['--host', '0.0.0.0', '--allow-remote'], async () => true)).code).toBe(0);
  });

  it('accepts every --allowed-host and no other name', async () => {
    const { seen } = await serving(['--allowed-host', 'ci.example', '--allowed-host', 'box.test'], async (ready) => {
      const ask = (host: string) => statusFor(`${ready.trim()}/-/health`, host);
      return [await ask('ci.example'), await ask('box.test:8080'), await ask('127.0.0.1'), await ask('evil.example')];
    });
    expect(seen).toEqual([200, 200, 200, 403]);
  });

  it('with an --allowed-host gives the demo world fresh tokens and closes the control plane', async () => {
    const { seen } = await serving(['--allowed-host', 'ci.example', '--json'], async (ready) => {
      const { url, tokens } = JSON.parse(ready) as { url: string; tokens: Record<string, string> };
      const ask = (token: string) => fetch(`${url}/api/v4/user`, { headers: { 'private-token': token } }).then(({ status }) => status);
      return [await ask('root-token'), await ask(tokens['root']!), (await fetch(`${url}/-/requests`)).status];
    });
    expect(seen).toEqual([401, 200, 403]);
  });

  it.each(['process', 'power'])('keeps what clients wrote, with --durability %s', async (durability) => {
    const flags = ['--data', join(folder, 'data.db'), '--durability', durability, '--json'];
    const note = (method: string, text?: string) => async (ready: string) => {
      const { url, tokens } = JSON.parse(ready) as { url: string; tokens: Record<string, string> };
      const query = text === undefined ? '' : `?body=${text}`;
      const answer = await fetch(`${url}/api/v4/projects/acme%2Fapp/issues/7/discussions${query}`,
        { method, headers: { 'private-token': tokens['root']! } });
      return answer.text();
    };
    await serving(flags, note('POST', 'kept'));
    expect((await serving(flags, note('GET'))).seen).toContain('"body":"kept"');
  });

  it('requires COLLOQUY_CONTROL_TOKEN on the control plane, and never shows it', async () => {
    const { seen, world } = await serving(['--log', 'log.ndjson', '--json'], async (ready) => {
      const { url } = JSON.parse(ready) as { url: string };
      const ask = (headers = {}) => fetch(`${url}/-/requests`, { headers }).then(async (answer) => [answer.status, await answer.text()]);
      return [ready, await ask(), await ask({ authorization: 'Bearer wrong' }), await ask({ authorization: 'Bearer control-key' })];
    }, { env: { COLLOQUY_CONTROL_TOKEN: 'control-key' } });
    expect(seen.slice(1).map(([status]) => status)).toEqual([401, 401, 200]);
    expect(JSON.stringify([seen, world.appended])).not.toContain('control-key');
  });

  it('rejects an invalid world with file, line and reason', async () => {
    const file = join(folder, 'world.yaml');
    await writeFile(file, 'users:\n  - username: kim\n    admin: perhaps\n');
    const { code, out, err } = await ran('serve', '--world', file);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(`${file}:3: `);
    expect(await ran('serve', '--world', join(folder, 'none.yaml'))).toMatchObject({ code: 2 });
  });

  it.each([
    ['--port', 'x'], ['--port', '70000'], ['--dialect', 'other'], ['--rate-limit', '0'], ['--tls-cert', 'c.pem'],
    ['--data', '/nowhere/at/all.db'], ['--durability', 'never'],
  ])('rejects %s %s', async (flag, value) => {
    expect(await ran('serve', flag, value)).toMatchObject({ code: 2, out: '' });
  });

  it('reports that the port is in use', async () => {
    const { seen } = await serving([], async (ready) => ran('serve', '--port', new URL(ready.trim()).port));
    expect(seen).toMatchObject({ code: 1, out: '', err: expect.stringContaining('EADDRINUSE') as string });
  });

  it('prints its help', async () => {
    expect((await ran('serve', '--help')).out).toContain('--allow-remote');
  });

  it('copies its data to a new file and exits while another process serves it', async () => {
    const [file, copy] = [join(folder, 'data.db'), join(folder, 'copy.db')];
    const { seen } = await serving(['--data', file], () => ran('serve', '--data', file, '--backup', copy, '--json'));
    expect(seen).toMatchObject({ code: 0, out: `"${copy}"\n`, err: '' });
    const { seen: user } = await serving(['--data', copy], async (ready) =>
      (await fetch(`${ready.trim()}/api/v4/user`, { headers: { 'private-token': 'ada-token' } })).json());
    expect(user).toMatchObject({ username: 'ada' });
  });

  it('does not overwrite an existing file, and requires --data', async () => {
    const file = join(folder, 'data.db');
    await writeFile(file, 'mine');
    expect(await ran('serve', '--data', file, '--backup', file)).toMatchObject({ code: 2, err: expect.stringContaining('already exists') as string });
    expect(await ran('serve', '--backup', file)).toMatchObject({ code: 2, err: expect.stringContaining('--data') as string });
  });
});

describe('serve --log', () => {
  const failing = (code: string) => () => Promise.reject(Object.assign(new Error('no'), { code }));

  it.each([['EISDIR', 'it is a folder'], ['ENOENT', 'no such folder'], ['EACCES', 'permission denied']])(
    'exits with 2 for a file that cannot be written: %s', async (code, why) => {
      const { app } = await testApp();
      const said: string[] = [];
      const err = { ...app.err, write: async (text: string) => { said.push(text); } };
      expect(await run(['serve', '--log', 'no/log'], { ...app, err, files: { ...app.files, append: failing(code) } })).toBe(2);
      expect(said.join('')).toContain(`cannot write no/log: ${why}\nuse a path in an existing folder that you can write to`);
    });

  it('reports once that requests could not be written, and serves on', async () => {
    const world = await testApp();
    const { append } = world.app.files;
    const files = { ...world.app.files, append: async (path: string, text: string) => text === '' ? append(path, text) : failing('ENOSPC')() };
    const [said, printed]: string[][] = [[], []];
    const [out, err] = [printed, said].map((texts) => ({ ...world.app.out, write: async (text: string) => { texts!.push(text); } }));
    const end = run(['serve', '--log', 'log'], { ...world.app, out: out!, err: err!, files });
    await expect.poll(() => printed).toHaveLength(1);
    for (let i = 0; i < 2; i++) expect((await fetch(`${printed![0]!.trim()}/api/v4/user`)).status).toBe(401);
    world.stop.abort();
    expect(await end).toBe(0);
    expect(said!.slice(1)).toEqual(['cannot write log: the disk is full; the log lacks requests\n']);
  });

  it('leaves a pipe closed until there is a request', async () => {
    const appended: string[] = [];
    const world = await testApp();
    const files = { ...world.app.files, kindOf: async () => 'stream' as const, append: async (_: string, text: string) => { appended.push(text); } };
    const out = { ...world.app.out, write: async () => { world.stop.abort(); } };
    expect(await run(['serve', '--log', 'pipe'], { ...world.app, out, files })).toBe(0);
    expect(appended).toEqual([]);
  });
});

describe('serve --ready-file', () => {
  it('writes the JSON of --json when it can respond, and removes the file at the end', async () => {
    const { seen, world } = await serving(['--json', '--ready-file', 'ready.json'], async (ready) => ready);
    expect(world.fileWrites).toEqual([['ready.json', seen], ['ready.json', null]]);
  });

  it('exits with 2 if the file cannot be written', async () => {
    const { app } = await testApp();
    const write = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOENT' }));
    const said: string[] = [];
    const err = { ...app.err, write: async (text: string) => { said.push(text); } };
    expect(await run(['serve', '--ready-file', 'no/ready.json'], { ...app, err, files: { ...app.files, write } })).toBe(2);
    expect(said.join('')).toContain('cannot write no/ready.json: no such folder');
  });
});

describe('serve --watch', () => {
  it('reports each reload on stderr and updates the ready file', { timeout: 30_000 }, async () => {
    const file = join(folder, 'world.yaml');
    // A file that is written in place is empty for a moment, and loaded as such if that lasts.
    const replace = async (text: string) => {
      await writeFile(`${file}.new`, text);
      await rename(`${file}.new`, file);
    };
    await replace('users: [{ username: ada, token: ada-token }]\ngroups: [{ path: acme }]\n');
    const said: string[] = [];
    const world = await testApp();
    const err = { ...world.app.err, write: async (text: string) => { said.push(text); } };
    const written: string[] = [];
    const files = { ...world.app.files, write: async (_: string, text: string | Uint8Array) => { written.push(String(text)); } };
    const end = run(['serve', '--world', file, '--watch', '--ready-file', 'ready.json'], { ...world.app, err, files });
    await expect.poll(() => written).toHaveLength(1);
    await replace('users: [{ username: robert, token: robert-token }]\n');
    await expect.poll(() => said).toHaveLength(2);
    await replace('usres: []\n');
    await expect.poll(() => said).toHaveLength(3);
    world.stop.abort();
    expect(await end).toBe(0);
    expect(said.slice(1)).toEqual([
      `reloaded ${file}\n`, `${file}:1: unknown key "usres" in the world\ndid you mean users?\nthe previous world is still served\n`]);
    expect(written.map((text) => Object.keys((JSON.parse(text) as { tokens: object }).tokens))).toEqual([['ada'], ['robert']]);
  });

  it('needs --world', async () => {
    const { code, err } = await ran('serve', '--watch');
    expect([code, err]).toEqual([2, expect.stringContaining('--watch requires --world')]);
  });
});

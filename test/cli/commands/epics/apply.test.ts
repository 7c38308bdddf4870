import { describe, expect, it } from 'vitest';
import type { HttpRequest, HttpResponse } from '../../../../src/wire/http.js';
import { json, unknownRoute } from '../../../support/answers.js';
import type { WorldOptions } from '../../../support/app.js';
import { everyRow } from '../../../support/rows.js';
import { epicApp, otherEpics, type SeededEpic } from '../../../support/epic-app.js';

type App = Awaited<ReturnType<typeof epicApp>>;

const children = async (app: App, epic: string): Promise<string[]> => {
  const { out } = await app.run('epics', 'list', epic, '-q', '.[].title');
  return out.trim() === '' ? [] : out.trim().split('\n');
};

const withFile = (text: string, options: WorldOptions = {}, name = 'plan.txt') => epicApp({ files: { [name]: text }, ...options });

const apply = (app: App, ...words: string[]) => app.run('epics', 'apply', '&1', ...words);

const writesOf = ({ sent }: { sent: readonly { method: string }[] }) => sent.filter(({ method }) => method !== 'GET').length;

describe('epics apply', () => {
  it('creates, assigns, moves, reorders and removes', async () => {
    const app = await withFile('&8 Epic 8\n  &7\nNew\n  Below new\n&6\n&4\n');
    expect(await apply(app, 'plan.txt', '--prune', '--yes')).toMatchObject({ code: 0, err: `acme&1 "Roadmap" on http://service.test
  + &8 "Epic 8" (assigned)
      ~ &7 "Epic 7" (from &3 "Epic 3")
  + "New" (new)
      + "Below new" (new)
    (1 unchanged)
  ~ &4 "Epic 4" (reordered)
  - &5 "Epic 5" (has no parent any more)
  - acme/sub&4 "Sub 4" (has no parent any more)
made 7 changes to acme&1 "Roadmap"\n` });
    expect([await children(app, '&1'), await children(app, '&8'), await children(app, '&3')])
      .toEqual([['Epic 8', 'New', 'Epic 6', 'Epic 4'], ['Epic 7'], []]);
  });

  it('hides the values of secret variables', async () => {
    const files = { 'plan.yaml': '- ref: "&4"\n  children:\n    - title: a secret/12\n- ref: "&5"\n- ref: "&6"\n' };
    const app = await withFile('', { files, env: { DEPLOY_TOKEN: 'secret/12' } });
    const { code, err } = await apply(app, 'plan.yaml', '--yes');
    expect([code, await children(app, '&4')]).toEqual([0, ['a [masked]']]);
    expect(err).toContain('masked the values of secret variables in plan.yaml\n');
  });

  it('masks no references and no titles of epics that exist, and creates nothing twice', async () => {
    const file = '- ref: acme/sub&4\n- title: the secret/12\n';
    const { service } = await withFile(file, {}, 'plan.yaml');
    const appWith = (env: Readonly<Record<string, string>>) => withFile(file, { service, env }, 'plan.yaml');
    const secrets = { PROJECT_KEY: 'acme/sub', DEPLOY_TOKEN: 'secret/12' };
    expect((await apply(await appWith({}), 'plan.yaml', '--yes')).code).toBe(0);
    const again = await apply(await appWith(secrets), 'plan.yaml', '--yes');
    expect(again).toMatchObject({ code: 0, err: expect.stringMatching(/^nothing changed: .*plan\.yaml describes it\n$/) as string });
    const app = await appWith(secrets);
    app.files.set('plan.yaml', `${file}- title: new secret/12\n`);
    for (const isNew of [true, false]) {
      expect((await apply(app, 'plan.yaml', '--yes')).err).toContain(isNew ? 'masked the values' : 'nothing changed');
      expect(await children(app, '&1')).toEqual(['Sub 4', 'the secret/12', 'new [masked]', 'Epic 4', 'Epic 5', 'Epic 6']);
    }
  });

  it('has as many rows as it counts changes, and a record of each request for programs', async () => {
    const file = '&4\nNew\n&5\n';
    for (const words of [['--yes'], ['--dry-run']]) {
      for (const terminal of [true, false]) {
        const { out, err } = await apply(await withFile(file, { terminal }), 'plan.txt', ...words, '-o', 'tsv');
        expect([out.match(/^create\t/gm)?.length, out.trim().split('\n').length], out).toEqual([1, 1]);
        expect(err).toMatch(/\b1 change\b/);
      }
      const records = await apply(await withFile(file), 'plan.txt', ...words, '--json=action');
      expect(JSON.parse(records.out)).toEqual([{ action: 'create' }, { action: 'reorder' }]);
    }
  });

  it('keeps the children that the file does not name after the named ones', async () => {
    const app = await withFile('&6\n');
    expect(await apply(app, 'plan.txt', '--yes')).toMatchObject({ code: 0 });
    expect(await children(app, '&1')).toEqual(['Epic 6', 'Epic 4', 'Epic 5', 'Sub 4']);
  });

  it('takes a title for the one child that has it, and leaves the children of a node without children alone', async () => {
    const app = await withFile('- title: Epic 6\n- {title: Epic 4, children: [New]}\n- {ref: "&3", children: []}\n', {}, 'plan.yaml');
    await apply(app, 'plan.yaml', '--yes');
    expect([await children(app, '&1'), await children(app, '&4'), await children(app, '&3')])
      .toEqual([['Epic 6', 'Epic 4', 'Epic 3', 'Epic 5', 'Sub 4'], ['New'], ['Epic 7']]);
  });

  it('tells all problems of a file at once, with their lines', async () => {
    const app = await withFile('&99\n&4\nsee\tthis\n&4\n501\n&1\nepic 5\n');
    const refused = await apply(app, 'plan.txt', '--yes');
    expect(refused).toMatchObject({ code: 6, err: expect.stringContaining('colloquy: 6 problems in plan.txt\n') as string });
    expect(refused.err.match(/plan\.txt:\d+:\d+/g)).toEqual([1, 3, 4, 5, 6, 7].map((line) => `plan.txt:${line}:1`));
    expect(writesOf(refused)).toBe(0);
  });

  it('names both of two new epics that two machines created at once, and keeps the one with the lower id in the tree', async () => {
    for (const isFirst of [true, false]) {
      let isDone = false;
      const both = async (request: HttpRequest): Promise<HttpResponse> => {
        const create = () => app.service.post('/groups/acme/epics/1/epics', { as: 'reporter', json: { title: 'New' } });
        if (isFirst) await create();
        const response = await app.service.handle(request);
        if (!isFirst) await create();
        return response;
      };
      const app: App = await withFile('New\n  Below\n', { answer: (request) => {
        if (request.method !== 'POST' || isDone) return undefined;
        isDone = true;
        return both(request);
      } });
      const before = await children(app, '&1');
      const ran = await apply(app, 'plan.txt', '--yes');
      expect([ran.code, ran.err]).toEqual([1, expect.stringMatching(
        /another run created "New" below &1 "Roadmap" too: id:\d+ and id:\d+\n.*id:\d+ stays in the tree/s)]);
      const after = (await app.run('epics', 'list', '&1', '--json', 'id,title')).out;
      const added = (JSON.parse(after) as { id: number; title: string }[]).filter(({ title }) => !before.includes(title));
      const low = Number(/id:(\d+) stays/.exec(ran.err)![1]);
      expect([low, added.map(({ id }) => id).sort()]).toEqual([605, isFirst ? [605] : [605, 606]]);
    }
  });

  it('keeps one of two epics if the service stored a request that was repeated, and says which one to delete', async () => {
    const app = await withFile('New\n  Below\n');
    await app.service.faults([{ on: 'epics.create', do: 'status 429 after', times: 1 }]);
    expect(await apply(app, 'plan.txt', '--yes')).toMatchObject({ code: 0, err: expect.stringContaining('warning: the service stored two requests '
      + 'for "New"; delete id:606, which has no parent now, in the web interface\nmade 2 changes to acme&1 "Roadmap"\n') as string });
    expect([await children(app, '&1'), await children(app, '&9')]).toEqual([['New', 'Epic 4', 'Epic 5', 'Epic 6', 'Sub 4'], ['Below']]);
    expect((await apply(app, 'plan.txt')).err).toContain('nothing changed');
    expect(await apply(app, '--rollback', '--yes')).toMatchObject({ code: 1, err: expect.stringContaining('3 new epics remain without a parent') as string });
  });

  it('keeps one of two epics if the service carries out a request after the next run has sent it again', async () => {
    let count = 0;
    let now = Date.parse('2024-05-01T12:00:00Z');
    const late = async (request: HttpRequest): Promise<HttpResponse> => {
      if (++count === 1) return json(504, { message: '504 Gateway Timeout' });
      if (count === 2) await app.service.handle(request);
      return app.service.handle(request);
    };
    const app: App = await withFile('New\n  Below\n', {
      time: { now: () => now, random: () => 0, sleep: async (ms) => { now += ms; } },
      answer: (request) => request.method === 'POST' ? late(request) : undefined });
    expect(await apply(app, 'plan.txt', '--yes')).toMatchObject({ code: 10 });
    expect(await apply(app, '--resume', '--yes')).toMatchObject({ code: 0, err: expect.stringContaining('"New"; delete id:606, which') as string });
    expect([await children(app, '&1'), await children(app, '&9')]).toEqual([['New', 'Epic 4', 'Epic 5', 'Epic 6', 'Sub 4'], ['Below']]);
  });

  it('creates nothing from the other formats of epics tree and epics list', async () => {
    const formats = ['tsv', 'csv', 'id', 'dot', 'mermaid', 'json', 'ndjson', 'yaml', 'markdown', 'agent', 'table'];
    const world = await epicApp();
    const files: Record<string, string> = {};
    for (const words of formats.flatMap((format) => [['tree', '&1', '-o', format], ['list', '&1', '-o', format]])) {
      const { out } = await world.run('epics', ...words);
      for (const above of ['', '# saved in May\n', 'Roadmap\n']) if (out !== '') files[`${words.join(' ')} ${above.trim()}`] = above + out;
    }
    const app = await epicApp({ files });
    await everyRow(Object.keys(files), (file) => file, async (file) => {
      const { code, out, err } = await app.run('epics', 'apply', '&1', file, '--dry-run', '--json=action,title');
      if (code === 2) return expect(err).toMatch(/:\d+:\d+: /);
      const created = (JSON.parse(out || '[]') as { action: string; title: string }[]).filter(({ action }) => action === 'create');
      expect(created.map(({ title }) => title).filter((title) => title !== 'Roadmap')).toEqual([]);
    });
  });

  it('changes nothing the second time', async () => {
    const app = await withFile('&6\nNew\n');
    await apply(app, 'plan.txt', '--yes');
    const again = await apply(app, 'plan.txt');
    expect(again).toMatchObject({ code: 0, out: '', err: 'nothing changed: acme&1 "Roadmap" is as plan.txt describes it\n' });
    expect(writesOf(again)).toBe(0);
  });

  it('prints the changes as JSON', async () => {
    const app = await withFile('New\n&8\n');
    const { out } = await apply(app, 'plan.txt', '--yes', '--json');
    expect(JSON.parse(out)).toMatchObject([
      { action: 'assign', status: 'done', id: 508, iid: 8, title: 'Epic 8', parent_id: 500, former_parent_id: null, after_id: null },
      { action: 'create', status: 'done', iid: 9, title: 'New', parent_id: 500, url: 'http://service.test/groups/acme/-/epics/9' },
    ]);
  });

  it('sends nothing with --dry-run, and exits with 8 if something would change', async () => {
    const app = await withFile('&6\n');
    const planned = await apply(app, 'plan.txt', '--dry-run', '--json=action,status,id,before_id');
    expect(planned).toMatchObject({ code: 8, out: '[{"action":"reorder","status":"planned","id":506,"before_id":504}]\n' });
    expect(planned.err).toContain('~ &6 "Epic 6" (reordered)');
    expect(writesOf(planned)).toBe(0);
    expect(await apply(await withFile('&4\n'), 'plan.txt', '--dry-run')).toMatchObject({
      code: 0, err: 'nothing would change: acme&1 "Roadmap" is as plan.txt describes it\n' });
    expect(app.state).toEqual(new Map());
  });

  it('asks at a terminal, and needs --yes without one', async () => {
    expect(await apply(await withFile('&6\n'), 'plan.txt')).toMatchObject({
      code: 2, err: expect.stringContaining('refusing to apply 1 change to acme&1 "Roadmap" on http://service.test without confirmation') as string });
    const declined = await withFile('&6\n', { terminal: true, answers: [false] });
    expect((await apply(declined, 'plan.txt')).code).toBe(3);
    expect(declined.asked).toEqual(['Apply 1 change to acme&1 "Roadmap" on http://service.test?']);
    expect(await apply(await withFile('&6\n', { terminal: true, answers: [true] }), 'plan.txt')).toMatchObject({ code: 0, out: '' });
  });

  it('stops if the hierarchy changes while it asks', async () => {
    const app = await withFile('&6\n', { terminal: true });
    const { service } = app;
    const answering = { ...app.app, ask: { ...app.app.ask, confirm: async () => {
      await service.put('/groups/acme/epics/1/epics/506', { as: 'reporter', json: { move_after_id: 505 } });
      return true;
    } } };
    const { run } = await import('../../../../src/cli/run.js');
    expect(await run(['epics', 'apply', '&1', 'plan.txt'], answering)).toBe(1);
    expect(await children(app, '&1')).toEqual(['Epic 4', 'Epic 6', 'Epic 5', 'Sub 4']);
  });
});

describe('a file that epics apply refuses', () => {
  it.each([
    ['&4\n&4\n', 2, 'plan.txt:2:1: &4 "Epic 4" is named twice, first on line 1'], ['&4\nEpic 4\n', 2, 'plan.txt:2:1: &4 "Epic 4" is named twice'],
    ['New\nNew\n', 2, '"New" is also the title of the epic on line 1'], ['&8\nEpic 8\n', 2, '"Epic 8" is also the title of the epic on line 1'],
    ['&4\n  &1\n', 2, 'plan.txt:2:3: &1 "Roadmap" cannot be below itself'], ['&99\n', 6, 'plan.txt:1:1: &99 is missing, or the token cannot read it'],
    ['id:999\n', 6, 'plan.txt:1:1: cannot find id:999 in group acme'], ['https://other.test/groups/acme/-/epics/3\n', 2, 'is not on the service of acme&1, http://service.test'],
    ['\tA\n', 2, 'plan.txt:1:2: the indentation fits no line above'],
  ])('%j', async (text, code, message) => {
    const ran = await apply(await withFile(text), 'plan.txt', '--yes');
    expect(ran).toMatchObject({ code, err: expect.stringContaining(message) as string });
    expect(writesOf(ran)).toBe(0);
  });

  it.each([[5], [{}], [['x']], [null]])('compares an epic whose title the service sends as %j', async (title) => {
    const { service } = await epicApp();
    const answer = async (request: HttpRequest) => {
      const response = await service.handle(request);
      if (!request.target.includes('/epics/1/epics')) return response;
      const [first, ...others] = JSON.parse(String(response.body)) as object[];
      return { ...response, body: JSON.stringify([{ ...first, title }, ...others]) };
    };
    const { code, err } = await apply(await epicApp({ service, answer, files: { 'plan.txt': '&5\n&6 Epic 6\nNew\n' } }), 'plan.txt', '--dry-run');
    expect([code, err]).toEqual([8, expect.stringContaining('would apply 2 changes') as string]);
  });

  it('names an epic of another group without a lookup of epics, which is not a child with the same number', async () => {
    const answer = ({ target }: HttpRequest) => /\/epics\/\d+$/.test(target) ? unknownRoute : undefined;
    expect(await apply(await withFile('acme/sub&5\n', { answer }), 'plan.txt', '--dry-run')).toMatchObject({
      code: 6, err: expect.stringContaining('cannot find the global id of acme/sub&5') as string });
  });

  it('names an ancestor', async () => {
    const app = await epicApp({ files: { 'plan.txt': '&1\n' } });
    expect(await app.run('epics', 'apply', '&4', 'plan.txt', '--yes')).toMatchObject({
      code: 2, err: expect.stringContaining('&1 "Roadmap" is above &4 "Epic 4": the change would create a cycle') as string });
  });

  it('has a title that several children have', async () => {
    const app = await withFile('Epic 5\n');
    await app.service.post('/groups/acme/epics/1/epics', { as: 'reporter', json: { title: 'Epic 5' } });
    expect((await apply(app, 'plan.txt', '--yes')).err).toMatch(/several children have the title "Epic 5"\nname one of them by ref: id:\d+, id:505\n/);
  });

  it.each([
    [[], 'no file given'], [['plan.txt', '--resume', '--rollback'], '--resume and --rollback cannot be combined'],
    [['plan.txt', '--rollback'], '--rollback takes no file'], [['--resume', '--prune'], '--prune and --resume cannot be combined'],
    [['--resume'], 'there is no unfinished run of `epics apply` on acme&1'], [['--rollback'], 'there is no recorded run of `epics apply` on acme&1'],
    [['missing.txt'], 'cannot read missing.txt: no such file'],
  ])('%j', async (words, message) => {
    expect(await apply(await withFile('&4\n'), ...words)).toMatchObject({ code: 2, err: expect.stringContaining(message) as string });
  });
});

it('needs the parent epic before the file', async () => {
  expect(await (await withFile('&4\n')).run('epics', 'apply', 'plan.txt', '--dry-run')).toMatchObject({
    code: 2, err: "colloquy: no parent epic given\nname it before the file: colloquy epics apply '&1' plan.txt\n", sent: [] });
});

describe('a file of epics apply from standard input', () => {
  const piped = (text: string, ...words: string[]) =>
    epicApp({ stdin: text }).then((app) => apply(app, '-', '--yes', ...words));

  it.each([
    ['YAML', '# plan\n- ref: "&6"\n  title: Epic 6\n- ref: "&4"\n'], ['YAML with a key', 'children:\n  - "&6"\n  - "&4"\n'],
    ['quoted YAML', "- '&6'\n- '&4'\n"], ['JSON', '[{"ref":"&6"},"&4"]'], ['an outline', '&6\n&4\n'], ['a list', '- &6 Epic 6\n- &4\n'],
    ['Markdown', '- [&1](<http://s.test/1>) Roadmap\n  - [&6](<http://s.test/6>) Epic 6\n  - &4\n'],
    ['the rows of a tree', '0\t\t&1\t500\tacme\t\t\tRoadmap\n1\t500\t&6\t506\tacme\t\t\tEpic 6\n1\t500\t&4\t504\tacme\t\t\tEpic 4\n'],
    ['an outline with the epic at the top', '&1 Roadmap\n  &6\n  &4\n'], ['YAML with the epic at the top', "- ref: '&1'\n  children: ['&6', '&4']\n"],
  ])('is recognized: %s', async (_, text) => {
    const app = await epicApp({ stdin: text });
    expect(await apply(app, '-', '--yes')).toMatchObject({ code: 0 });
    expect(await children(app, '&1')).toEqual(['Epic 6', 'Epic 4', 'Epic 5', 'Sub 4']);
  });

  it('names the epics of Markdown by their addresses, since a tree of another group has the same numbers', async () => {
    const app = await epicApp({ stdin: '- [&4](<http://service.test/groups/acme/sub/-/epics/4>) Sub 4\n' });
    expect(await app.run('epics', 'apply', '&8', '-', '--yes')).toMatchObject({ code: 0 });
    expect(await children(app, '&8')).toEqual(['Sub 4']);
    const other = await piped('- [&4](<http://other.test/groups/acme/-/epics/4>) Epic 4\n');
    expect([other.code, writesOf(other)], other.err).toEqual([2, 0]);
    expect(other.err).toContain('http://other.test/groups/acme/-/epics/4 is not on the service of acme&1, http://service.test');
  });

  it('has the format of --format', async () => {
    expect(await piped('- New', '--format', 'yaml')).toMatchObject({ code: 0, err: expect.stringContaining('+ "New" (new)') as string });
    expect(await piped('&6\n', '--format', 'yaml')).toMatchObject({ code: 2, err: expect.stringContaining('is an anchor in YAML') as string });
    expect(await piped('title: One\n', '--format', 'outline')).toMatchObject({ code: 0, err: expect.stringContaining('+ "title: One" (new)') as string });
    expect(await piped('title: One\n')).toMatchObject({ code: 2 });
    expect(await piped('&6\n', '--format', 'toml')).toMatchObject({ code: 2, sent: [] });
  });

  it('can add epics to Markdown and to the rows of a tree', async () => {
    expect((await piped('- [&1](<http://s.test/1>) Roadmap\n  - New *one*\n')).err).toContain('+ "New *one*" (new)');
    expect((await piped('0\t\t&1\t500\tacme\t\t\tRoadmap\n1\t\t\t\t\t\t\tNew\n')).err).toContain('+ "New" (new)');
    expect(await piped('0\t\t&1\t500\tacme\t\t\tRoadmap\nNew\n')).toMatchObject({
      code: 2, err: expect.stringContaining('standard input:2:1: this is not a row of `epics tree`') as string });
  });

  it('leaves the children alone if it names only the epic at the top', async () => {
    expect(await piped('&1 Roadmap\n', '--prune')).toMatchObject({ code: 0, err: expect.stringContaining('nothing changed') as string });
  });
});

describe('an odd title of a new epic', () => {
  it.each([
    ['\\&3', 'looks like a reference'], ['\\&3 Login', 'looks like a reference'], ['&3: Login', 'looks like a reference'],
    ['\\acme&3', 'looks like a reference'], ['\\id:501', 'looks like a reference'], ['(id:501)', 'looks like a reference'],
    ['https://host/page', 'looks like a reference'], ['!12', 'looks like a reference'], ['- [ ] x', 'starts with a checkbox'],
    ['[x] done', 'starts with a checkbox'], ['[Login](http://host)', 'contains a link'], ['See [Login](http://host)', 'contains a link'],
    ['<mailto:a@b.test>', 'contains a link'], ['|-- &4 Epic 4', 'starts with a line of a drawn tree'], ['├── &4 Epic 4', 'starts with a line of a drawn tree'],
    ['epic 4', 'differs only in case from its sibling "Epic 4"'],
  ])('is refused with its line: %j', async (line, reason) => {
    const app = await withFile(`&5\n${line}\n`);
    const ran = await apply(app, 'plan.txt', '--yes');
    expect(ran).toMatchObject({ code: 2, err: expect.stringMatching(/^colloquy: plan\.txt:2:\d+: /) as string });
    expect(ran.err).toContain(reason);
    expect(writesOf(ran)).toBe(0);
    expect((await apply(app, 'plan.txt', '--yes', '--allow-odd-titles')).code).toBe(0);
  });

  it('is refused in YAML, below a new epic, and beside another new epic', async () => {
    const refused = async (text: string) => (await apply(await withFile(text, {}, 'plan.yaml'), 'plan.yaml', '--yes')).err;
    expect(await refused("- A\n- title: '&2'\n")).toContain('plan.yaml:2:3: the title looks like a reference: "&2"');
    expect(await refused("- title: A\n  children:\n    - '[ ] x'\n")).toContain('plan.yaml:3:7: the title starts with a checkbox');
    expect(await refused('- Alpha\n- alpha\n')).toContain('plan.yaml:2:3: "alpha" differs only in case from its sibling "Alpha"');
  });

  it('is allowed where the epic exists, and in a run that continues one with --allow-odd-titles', async () => {
    const app = await withFile('\\&3\nNew\n');
    await app.service.faults([{ on: 'epics.create', do: 'status 422', times: 1, skip: 1 }]);
    expect((await apply(app, 'plan.txt', '--yes', '--allow-odd-titles')).code).toBe(7);
    expect((await apply(app, '--resume', '--yes')).code).toBe(0);
    expect((await apply(app, 'plan.txt', '--yes')).err).toContain('nothing changed');
    expect(await apply(app, '--resume', '--allow-odd-titles')).toMatchObject({ code: 2, sent: [] });
  });

  it.each(['R & D', '& more', '!2 Fix the login', '10 %', 'A [draft]', '[draft] A', 'Epic 4b', 'Q&A 2'])('is not %j', async (title) => {
    expect((await apply(await withFile(`${title}\n`), 'plan.txt', '--yes')).code).toBe(0);
  });
});

describe('a row of a table for epics apply', () => {
  it('must name one epic in its columns epic and id', async () => {
    const table = (await (await withFile('')).run('epics', 'tree', '&1', '-o', 'csv', '--json=depth,epic,id,title')).out;
    const id = /^1,(?:acme)?&4,(\d+),/m.exec(table)![1]!;
    const rowOf = async (epic: string) => apply(await withFile(`depth,epic,id\n1,${epic},${id}\n`), 'plan.txt', '--dry-run');
    for (const epic of ['&4', 'acme&4', 'epic/4', `id:${id}`, 'https://host/groups/acme/-/epics/4', '']) expect((await rowOf(epic)).code).toBe(0);
    for (const epic of ['&3', '&44', 'epic/5', 'id:9999', 'https://host/groups/acme/-/epics/14']) {
      expect(await rowOf(epic)).toMatchObject({ code: 2, err: expect.stringContaining(`plan.txt:2: id:${id} is &4, not ${epic}\n`) as string });
    }
  });
});

describe('warnings of epics apply', () => {
  it('name a title that differs from the file', async () => {
    expect((await apply(await withFile('&4 Login\n'), 'plan.txt')).err)
      .toContain('warning: plan.txt:1: &4 has the title "Epic 4", not "Login"; correct one of them; epics are not renamed\n');
  });

  it('name an epic on a level that the service or its older versions do not have', async () => {
    const chain = (levels: number) => Array.from({ length: levels }, (_, i) => `${' '.repeat(i)}New ${i}\n`).join('');
    const options = { answer: versioned('13.12.0-ee') };
    const warn = async (levels: number) => (await apply(await withFile(chain(levels), options), 'plan.txt', '-n')).err;
    expect(await warn(4)).not.toContain('warning');
    expect(await warn(5)).toContain(
      'warning: plan.txt:5: "New 4" would be on level 6, and version 13.12.0-ee of the service may allow only 5 levels; place it higher\n');
    expect(await warn(7)).toContain('warning: plan.txt:7: "New 6" would be on level 8, and the service allows 7 levels; place it higher\n');
  });

  it('name a child of another group, unless the version of the service accepts it', async () => {
    const planIn = async (options: WorldOptions) =>
      (await epicApp({ files: { 'plan.txt': 'acme&8\n' }, ...options })).run('epics', 'apply', 'acme/sub&4', 'plan.txt', '-n');
    const old = await planIn({ answer: versioned('13.12.0-ee') });
    expect(old.err).toContain('warning: plan.txt:1: acme&8 "Epic 8" is in the group acme, and version 13.12.0-ee of the service '
      + 'accepts below &4 "Sub 4" only epics of acme/sub and its subgroups; use an epic of one of these groups\n');
    expect((await planIn({ answer: versioned('17.0.0-ee') })).err).not.toContain('warning');
    expect((await planIn({ answer: ({ target }) => target.endsWith('/version') ? unknownRoute : undefined })).err)
      .toContain('versions of the service before 17.0 accept');
    expect((await apply(await withFile('id:604\n'), 'plan.txt', '-n')).err).not.toContain('warning');
  });
});

const versioned = (version: string): NonNullable<WorldOptions['answer']> => ({ target }) =>
  target.endsWith('/version') ? json(200, { version, revision: 'x' }) : undefined;

/** The top is confidential, but of the others only &8. */
const secret = async (text: string, options: WorldOptions = {}) => otherEpics((epics) => epics.map((epic) =>
  epic.iid === 1 || epic.iid === 8 ? { ...epic, confidential: true } : epic), { files: { 'plan.txt': text }, ...options });

describe('conflicts of epics apply', () => {
  const both = 'New\n  &7\n&8\n&3\n';
  const found = ['plan.txt:2: &7 "Epic 7" is not confidential, and cannot be below the confidential epic "New"',
    'plan.txt:4: &3 "Epic 3" is not confidential, and cannot be below the confidential epic &1 "Roadmap"'];

  it('are all warnings before the first change, which the service then rejects', async () => {
    const result = await apply(await secret(both), 'plan.txt', '--yes');
    expect(result.code).toBe(7);
    expect(result.err.split('\n').slice(0, 2)).toEqual(found.map((one) => `warning: ${one}; make it confidential first`));
    expect(writesOf(result)).toBeGreaterThan(0);
  });

  it('are all errors before the first change with --strict', async () => {
    for (const words of [['--yes'], ['--dry-run'], ['--yes', '--json']]) {
      const result = await apply(await secret(both), 'plan.txt', '--strict', ...words);
      expect({ code: result.code, out: result.out, writes: writesOf(result) }).toEqual({ code: 7, out: '', writes: 0 });
      for (const one of found) expect(result.err).toContain(words.includes('--json') ? JSON.stringify(one).slice(1, -1) : one);
      expect(result.err).toContain('2 problems in plan.txt');
    }
    expect(await apply(await secret('&8\n'), 'plan.txt', '--strict', '--yes')).toMatchObject({ code: 0 });
    expect(await apply(await withFile('&4 Login\n'), 'plan.txt', '--strict')).toMatchObject({ code: 2 });
  });

  it('are in the changes of --json', async () => {
    const { out, err } = await apply(await secret(both), 'plan.txt', '--dry-run', '--json=iid,conflict');
    const reasons = found.map((one) => one.replace(/^\S+ /, ''));
    expect(JSON.parse(out)).toEqual(expect.arrayContaining([
      { iid: 7, conflict: reasons[0] }, { iid: 3, conflict: reasons[1] }, { iid: 8, conflict: null }, { iid: null, conflict: null }]));
    expect(err).toContain(`warning: ${found[1]}`);
  });

  it('are recorded as errors with the run', async () => {
    const app = await secret('&8\n');
    await app.service.faults([{ on: 'epics.assign', do: 'status 500', times: 9 }]);
    expect((await apply(app, 'plan.txt', '--yes', '--strict', '--retries', '0')).code).toBe(10);
    expect(await apply(app, '--resume', '--strict')).toMatchObject({
      code: 2, err: expect.stringContaining('--strict and --resume cannot be combined') as string });
  });
});

/** A run that fails at its last write: &8 is assigned, &7 moved, and New not created. */
const stopped = async (options: WorldOptions = {}): Promise<App> => {
  const app = await withFile('New\n&7\n&8\n', options);
  await app.service.faults([{ on: 'epics.create', do: 'status 422', times: 1 }]);
  expect(await apply(app, 'plan.txt', '--yes')).toMatchObject({ code: 7, err: expect.stringContaining(
    'made 2 of 3 changes to acme&1 "Roadmap"; run again with --resume to continue, or with --rollback to undo them\n') as string });
  return app;
};

describe('a run of epics apply that did not finish', () => {
  it('counts an epic that was created, although it has not got its place yet', async () => {
    const app = await withFile('&4\nNew\n&5\nNewer\n', { answer: ({ method, body }) =>
      method === 'POST' && /New\b/.test(String(body)) ? json(422, {}) : undefined });
    const { code, err } = await apply(app, 'plan.txt', '--yes');
    expect([code, err]).toEqual([7, expect.stringContaining('made 1 of 2 changes to acme&1') as string]);
  });

  it('is not forgotten by another run', async () => {
    const app = await stopped();
    expect(await apply(app, 'plan.txt', '--yes')).toMatchObject({ code: 2, err:
      'colloquy: a run of `epics apply` on acme&1 "Roadmap" has not finished (plan.txt, 2024-05-01T12:00:00.000Z)\n'
      + 'run again with --resume to continue it, or with --rollback to undo it\n' });
    expect((await app.run('epics', 'apply', 'epic/1', 'plan.txt', '-g', '10', '--yes')).code).toBe(2);
  });

  it('continues with --resume, even without the file', async () => {
    const app = await stopped();
    expect((await apply(app, '--resume', '--yes')).code).toBe(0);
    expect(await children(app, '&1')).toEqual(['New', 'Epic 7', 'Epic 8', 'Epic 4', 'Epic 5', 'Epic 6', 'Sub 4']);
  });

  it('continues only with the same file', async () => {
    const app = await stopped({ files: { 'plan.txt': 'New\n&7\n&8\n', 'other.txt': '&4\n' } });
    expect(await apply(app, 'other.txt', '--resume', '--yes')).toMatchObject({ code: 2, err: expect.stringContaining('another file: plan.txt') as string });
    expect((await apply(app, 'plan.txt', '--resume', '--yes')).code).toBe(0);
  });

  it('says how to go on if it was interrupted', async () => {
    let left = 2;
    const app: App = await withFile('&8\nNew\n', { answer: ({ method }) => {
      if (method === 'POST' && --left === 0) app.stop.abort();
      return undefined;
    } });
    const { code, err } = await apply(app, 'plan.txt', '--yes');
    expect(code).toBe(130);
    expect(err).toMatch(/colloquy: interrupted\n.*\nrun again with --resume to continue, or with --rollback to undo the changes\n$/);
  });

  it('is undone with --rollback', async () => {
    const app = await stopped();
    expect(await apply(app, '--rollback', '--yes')).toMatchObject({ code: 0 });
    expect([await children(app, '&1'), await children(app, '&3')]).toEqual([['Epic 4', 'Epic 5', 'Epic 6', 'Sub 4'], ['Epic 7']]);
    expect(await apply(app, '--rollback', '--yes')).toMatchObject({ code: 2 });
  });

  it('leaves what another user changed in between', async () => {
    const app = await stopped();
    await app.service.post('/groups/acme/epics/8/epics/507', { as: 'reporter' });
    expect(await apply(app, '--rollback', '--yes')).toMatchObject({ code: 1, err: expect.stringContaining(
      'colloquy: rolled back, but some changes remain\n  &7 "Epic 7" stays below &8 "Epic 8", where another user put it\n') as string });
    expect([await children(app, '&1'), await children(app, '&8')]).toEqual([['Epic 4', 'Epic 5', 'Epic 6', 'Sub 4'], ['Epic 7']]);
  });
});

describe('a finished run of epics apply', () => {
  it('can be undone; the addresses of new epics are listed', async () => {
    const app = await withFile('&6\nNew\n  &7\n');
    await apply(app, 'plan.txt', '--yes');
    expect(await apply(app, '--rollback', '--dry-run')).toMatchObject({ code: 8 });
    expect(await apply(app, '--rollback', '--yes')).toMatchObject({ code: 1, err: expect.stringContaining(
      'colloquy: rolled back, but 1 new epic remains without a parent\n'
      + 'delete the new epics in the web interface:\n  http://service.test/groups/acme/-/epics/9 "New"\n') as string });
    expect([await children(app, '&1'), await children(app, '&3')]).toEqual([['Epic 4', 'Epic 5', 'Epic 6', 'Sub 4'], ['Epic 7']]);
  });

  it('keeps an order that another user changed since', async () => {
    const app = await withFile('&6\n&8\n');
    await apply(app, 'plan.txt', '--yes');
    await app.service.put('/groups/acme/epics/1/epics/505', { as: 'reporter', json: { move_after_id: 504 } });
    const back = await apply(app, '--rollback', '--yes');
    expect(back).toMatchObject({ code: 1, err: expect.stringContaining('the order of the children of &1 "Roadmap" stays: another user changed it') as string });
    expect(await children(app, '&1')).toEqual(['Epic 6', 'Epic 5', 'Epic 4', 'Sub 4']);
  });
});

describe('a run that was recorded for other epics', () => {
  const finished = async () => {
    const app = await withFile('&6\nNew\n  &7\n');
    expect((await apply(app, 'plan.txt', '--yes')).code).toBe(0);
    return app;
  };
  const journalOf = (app: App) => [...(app.state as Map<string, Uint8Array>).values()].map((file) => Buffer.from(file).toString()).join('');

  it.each([
    ['the time', (list: readonly SeededEpic[]) => list, new Date('2024-06-01T00:00:00Z')],
    ['the title', (list: readonly SeededEpic[]) => list.map((epic) => ({ ...epic, title: `Other ${epic.iid}` })), undefined],
    ['the title at the top', (list: readonly SeededEpic[]) => list.map((epic) => epic.iid === 1 ? { ...epic, title: 'Other' } : epic), undefined],
    ['the title of one epic', (list: readonly SeededEpic[]) => list.map((epic) => epic.iid === 7 ? { ...epic, title: 'Other' } : epic), undefined],
    ['the number', (list: readonly SeededEpic[]) => list.map((epic) => epic.id === 507 ? { ...epic, id: 707 } : epic), undefined],
    ['the number in the group', (list: readonly SeededEpic[]) => list.map((epic) => epic.iid === 7 ? { ...epic, iid: 17 } : epic), undefined],
  ])('is neither undone nor continued if %s differs', async (_, change, now) => {
    for (const [app, words] of [[await finished(), ['--rollback']], [await stopped(), ['--rollback', '--resume']]] as const) {
      const other = await otherEpics(change, { state: app.state }, now);
      const [before, journal] = [await children(other, '&1'), journalOf(app)];
      for (const word of words) {
        const ran = await apply(other, word, '--yes');
        expect({ word, ...ran }).toMatchObject({ err: expect.stringMatching(/the recorded run changed &|&7 is missing/) as string });
        expect([ran.code === 0, writesOf(ran)]).toEqual([false, 0]);
      }
      expect([await children(other, '&1'), journalOf(app)]).toEqual([before, journal]);
    }
  });

  it('is refused if another command recorded it, or if its start was deleted', async () => {
    const otherCommand = (text: string) => text.replace('"command":"epics apply"', '"command":"other"');
    for (const change of [otherCommand, (text: string) => text.slice(text.indexOf('\n'))]) {
      const app = await finished();
      const state = app.state as Map<string, Uint8Array>;
      for (const [name, file] of state) state.set(name, Buffer.from(change(Buffer.from(file).toString())));
      const ran = await apply(app, '--rollback', '--yes');
      expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('is not a journal of this version') as string });
      expect(writesOf(ran)).toBe(0);
    }
  });
});

describe('another user during epics apply', () => {
  it('is not overridden where an epic was moved', async () => {
    let isMoved = false;
    const { service } = await epicApp();
    const app = await epicApp({ service, files: { 'plan.txt': '&8\n&7\n' }, answer: (request) => {
      if (request.method !== 'POST' || isMoved) return undefined;
      isMoved = true;
      return service.post('/groups/acme/epics/4/epics/508', { as: 'reporter' }).then(() => service.handle(request));
    } });
    const ran = await apply(app, 'plan.txt', '--yes');
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('colloquy: &8 "Epic 8" is below &4 "Epic 4" now: another user changed it\n') as string });
    expect(await children(app, '&4')).toEqual(['Epic 8']);
  });

  it('is found when the result is read back', async () => {
    const { service } = await epicApp();
    let count = 0;
    const app = await epicApp({ service, files: { 'plan.txt': '&8\n&6\n' }, answer: (request) => {
      if (request.method !== 'PUT' || count++ > 0) return undefined;
      return service.handle(request).then(async (response) => {
        await service.delete('/groups/acme/epics/1/epics/508', { as: 'reporter' });
        return response;
      });
    } });
    const ran = await apply(app, 'plan.txt', '--yes');
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining(
      'the changes were made, but acme&1 "Roadmap" differs from the plan\n  &8 "Epic 8" is not below &1 "Roadmap"\n') as string });
  });
});

describe('the journal of epics apply', () => {
  it('must be writable before anything is sent', async () => {
    const app = await withFile('&6\n', { state: Object.assign(new Error('no'), { code: 'EACCES' }) });
    const ran = await apply(app, 'plan.txt', '--yes');
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(/cannot write the journal .*: permission denied\nset XDG_STATE_HOME to a writable folder/);
    expect(writesOf(ran)).toBe(0);
  });

  it('has no token', async () => {
    const app = await stopped();
    expect([...(app.state as Map<string, Uint8Array>).values()].map((file) => Buffer.from(file).toString()).join('')).not.toContain('reporter-token');
  });

  it('can end in the middle of a line', async () => {
    const app = await stopped();
    const state = app.state as Map<string, Uint8Array>;
    for (const [name, file] of state) state.set(name, Buffer.concat([file, Buffer.from('\n{"type":"sta')]));
    expect((await apply(app, '--resume', '--yes')).code).toBe(0);
    expect((await apply(app, '--rollback', '--yes')).code).toBe(1);
    expect([await children(app, '&1'), await children(app, '&3')]).toEqual([['Epic 4', 'Epic 5', 'Epic 6', 'Sub 4'], ['Epic 7']]);
  });

  it('is refused if it is damaged', async () => {
    const app = await stopped();
    const state = app.state as Map<string, Uint8Array>;
    const files = [...state];
    const lines = ['5', '[]', '{"type":"links"}', '{"type":"start"}', '{"type":"start","step":{"epic":1},"at":"x"}', '{"type":"later"}'];
    for (const damaged of ['{"version":2}\n', ...lines]) {
      for (const [name, file] of files) state.set(name, Buffer.from(damaged.endsWith('\n') ? damaged : `${Buffer.from(file).toString()}\n${damaged}`));
      for (const word of ['--resume', '--rollback']) {
        const { code, err } = await apply(app, word, '--yes');
        expect([damaged, word, code, err]).toEqual([damaged, word, 1, expect.stringContaining('is not a journal of this version')]);
      }
    }
  });
});

describe('a hierarchy from epics tree', () => {
  it.each([['of all levels', []], ['of one level', ['--depth', '1']]])('changes nothing if it is applied: %s', async (_, depth) => {
    const { service, run } = await epicApp();
    await run('epics', 'assign', '&4', '&3', '--yes');
    const { out } = await run('epics', 'tree', '&1', ...depth, '-o', 'yaml');
    expect(out).toContain('Sub 4');
    const ran = await apply(await epicApp({ service, files: { 'plan.yaml': out } }), 'plan.yaml', '--prune');
    expect(ran).toMatchObject({ code: 0, err: 'nothing changed: acme&1 "Roadmap" is as plan.yaml describes it\n' });
    expect(writesOf(ran)).toBe(0);
  });
});

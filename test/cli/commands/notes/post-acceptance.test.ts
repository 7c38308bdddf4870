import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PostResult } from '../../../../src/cli/notes/findings/result.js';
import type { Discussion, Note } from '../../../../src/contract/shapes/note.js';
import { testApp, type WorldOptions } from '../../../support/app.js';
import { sampleOf } from '../../../support/extent.js';
import { everyRow } from '../../../support/rows.js';
import { testService, type TestService } from '../../../support/service.js';
import { acme } from '../../../support/worlds.js';

const base = '/projects/20/merge_requests/1';
const sources = { '/app/app.js': 'one\nzwei\nthree\nfour\n', '/app/new.txt': 'first\ninserted\nlast\n' };

/** The job of a bot, on the merge request of `developer`, whose gate fails for each finding. */
const gateOn = (service: TestService, options: WorldOptions = {}) =>
  async (lines: readonly string[], ...words: readonly string[]) => {
    const { run } = await testApp({
      service, workTree: '/app', ...options, files: { ...sources, ...options.files, report: lines.map((line) => `${line}\n`).join('') },
      env: { COLLOQUY_TOKEN: 'maintainer-token', ...options.env },
    });
    const key = words.includes('--key') ? [] : ['--key', 'lint'];
    const format = words.includes('--from') ? [] : ['--from', 'lines'];
    const ran = await run('notes', 'post', 'mr/1', ...format, ...key, '--allow-empty', '--fail-level', 'note', 'report', '--json', ...words);
    const result = (ran.out === '' ? null : JSON.parse(ran.out)) as PostResult;
    const counts = Object.fromEntries(Object.entries(result ?? {}).map(([name, list]: [string, number | readonly unknown[]]) =>
      [name, typeof list === 'number' ? list : list.length]).filter(([, count]) => count !== 0));
    return { ...ran, result, counts };
  };

const resolve = (service: TestService, id: string, as: string, resolved = true) =>
  service.put(`${base}/discussions/${id}`, { as, json: { resolved } });
const reply = (service: TestService, id: string, as: string, body = 'thanks!') =>
  service.post<Note>(`${base}/discussions/${id}/notes`, { as, json: { body } });
const threadOn = async (service: TestService, id: string) => (await service.get<Discussion>(`${base}/discussions/${id}`)).body;

const finding = 'app.js:2:1: error: no zwei [r1]';
const created = ({ result }: { result: PostResult }) => result.created[0]!.discussion_id!;

describe('a finding that returns after the bot resolved its thread', () => {
  it('reopens the thread that somebody answered, whoever it was, and leaves its text', async () => {
    const answers: readonly (readonly [name: string, answer: (service: TestService, id: string) => Promise<unknown>])[] = [
      ['the author of the merge request', (service, id) => reply(service, id, 'developer')],
      ['a guest', (service, id) => reply(service, id, 'guest', 'Not a bug.')],
      ['the owner, then the author', async (service, id) => [await reply(service, id, 'owner'), await reply(service, id, 'developer')]],
      ['the user of the token by hand', (service, id) => reply(service, id, 'maintainer', 'By hand.')],
      ['somebody whose reply was resolved by hand', async (service, id) => {
        const { body: { id: note } } = await reply(service, id, 'guest');
        for (const resolved of [false, true]) await service.put(`${base}/discussions/${id}/notes/${note}`, { as: 'guest', json: { resolved } });
      }],
    ];
    const rows = answers.flatMap((answer) => (['document', 'live'] as const).map((dialect) => [dialect, ...answer] as const));
    await everyRow(sampleOf(rows, 3), ([dialect, name]) => `${name} (${dialect})`, async ([dialect, , answer]) => {
      const service = await testService({ dialect });
      const gate = gateOn(service);
      const first = await gate([finding]);
      const id = created(first);
      const before = (await threadOn(service, id)).notes[0]!.body;
      expect([first.code, (await gate([])).counts]).toEqual([8, { resolved: 1 }]);
      await answer(service, id);
      expect((await threadOn(service, id)).notes.every(({ resolved }) => resolved)).toBe(true);
      const again = await gate([finding]);
      expect([again.code, again.counts]).toEqual([8, { reopened: 1 }]);
      const { notes } = await threadOn(service, id);
      expect([notes.some(({ resolved }) => resolved), notes[0]!.body]).toEqual([false, before]);
      expect([(await gate([finding])).code, (await gate([finding])).counts]).toEqual([8, { left: 1 }]);
    });
  });

  it('reopens the thread whose text a person changed, and leaves the text', async () => {
    const service = await testService();
    const gate = gateOn(service);
    const id = created(await gate([finding]));
    await gate([]);
    const [note] = (await threadOn(service, id)).notes;
    const body = note!.body.replace('no zwei', 'never mind');
    await service.put(`${base}/notes/${note!.id}`, { as: 'maintainer', json: { body } });
    const again = await gate([finding]);
    expect([again.code, again.counts]).toEqual([8, { reopened: 1 }]);
    expect((await threadOn(service, id)).notes).toMatchObject([{ body, resolved: false }]);
  });

  it('accepts it after a person has resolved the thread', async () => {
    const service = await testService();
    const gate = gateOn(service);
    const id = created(await gate([finding]));
    await gate([]);
    await reply(service, id, 'developer');
    await gate([finding]);
    await resolve(service, id, 'developer');
    expect(await gate([finding])).toMatchObject({ code: 0, counts: { left: 1 }, result: { left: [{ reason: 'resolved by developer' }] } });
  });

  it('starts another thread if its message is another one, where the old text has to stay', async () => {
    const service = await testService();
    const gate = gateOn(service);
    const id = created(await gate([finding]));
    await gate([]);
    await reply(service, id, 'developer');
    const other = await gate(['app.js:2:1: error: injection [r1]']);
    expect([other.code, other.counts]).toEqual([8, { created: 1 }]);
    expect((await threadOn(service, id)).notes.every(({ resolved }) => resolved)).toBe(true);
  });
});

it('a thread that is answered and open counts, and its text stays', async () => {
  const service = await testService();
  const gate = gateOn(service);
  const id = created(await gate([finding]));
  const before = (await threadOn(service, id)).notes[0]!.body;
  await reply(service, id, 'developer', 'On purpose.');
  const again = await gate(['app.js:2:1: error: another message [r1]']);
  expect(again).toMatchObject({ code: 8, counts: { left: 1 }, result: { left: [{ reason: 'answered by developer' }] } });
  expect((await threadOn(service, id)).notes[0]).toMatchObject({ body: before, resolved: false });
});

describe('a thread that a person resolved', () => {
  /** Whether the second report passes after a person resolved the thread of the first one. */
  const passes = async (first: string, second: readonly string[], service?: TestService) => {
    const used = service ?? await testService();
    const gate = gateOn(used);
    await resolve(used, created(await gate([first])), 'developer');
    const again = await gate(second);
    expect(again.code === 0).toBe(again.counts['created'] === undefined);
    return again.code === 0;
  };
  const rows: readonly (readonly [name: string, first: string, second: string | readonly string[], isAccepted: boolean])[] = [
    ['another message without a rule', 'warning: unused name', 'error: SQL injection', false],
    ['another message at the same level', 'error: unused name', 'error: SQL injection', false],
    ['another message below', 'error: unused name', 'note: SQL injection', false],
    ['another message of the rule', 'error: no zwei [r1]', 'error: injection [r1]', false],
    ['another message with the same short hash', 'error: unused name zztbob', 'error: SQL injection by oyaxq', false],
    ['the same message of another rule', 'error: no zwei [r1]', 'error: no zwei [r2]', false],
    ['the same message at a higher level', 'warning: no zwei [r1]', 'error: no zwei [r1]', false],
    ['the same message at a higher level, without a rule', 'note: unused name', 'warning: unused name', false],
    ['the same message beside another', 'warning: unused name', ['warning: unused name', 'error: SQL injection'], false],
    ['two findings with the same message', 'warning: unused name', ['warning: unused name', '3:1: warning: unused name'], true],
    ['the same finding', 'error: no zwei [r1]', 'error: no zwei [r1]', true],
    ['the same finding without a rule', 'warning: unused name', 'warning: unused name', true],
    ['the same message at a lower level', 'error: no zwei [r1]', 'note: no zwei [r1]', true],
    ['the same message with other numbers', 'error: 301 lines are too many [r1]', 'error: 302 lines are too many [r1]', true],
    ['the same message with other numbers, without a rule', 'error: 3 of 7 branches', 'error: 12 of 70 branches', true],
    ['other numbers at a higher level', 'warning: 3 of 7 branches', 'error: 4 of 7 branches', false],
  ];

  it('accepts the same rule and message, without its numbers, at that level or below', async () => {
    await everyRow(rows, ([name]) => name, async ([, first, second, isAccepted]) => {
      const seconds = [second].flat().map((line) => line.startsWith('3:') ? `app.js:${line}` : `app.js:2:1: ${line}`);
      expect(await passes(`app.js:2:1: ${first}`, seconds)).toBe(isAccepted);
    });
  });

  it('accepts each of two findings of a line once both threads are resolved, whatever the order of the levels', async () => {
    const service = await testService();
    const gate = gateOn(service);
    const lines = ['error: injection', 'warning: unused name', 'error: unused name', 'note: unused name'].map((line) => `app.js:2:1: ${line}`);
    for (const line of [...lines, ...lines.toReversed()]) {
      for (const { discussion_id } of (await gate([line])).result.created) {
        await resolve(service, discussion_id!, 'developer');
      }
    }
    for (const line of lines) expect(await gate([line])).toMatchObject({ code: 0, counts: { left: 1 } });
    const threads = (await service.get<Discussion[]>(`${base}/discussions?per_page=100`)).body.filter(({ notes: [note] }) => note!.body.includes('key=lint'));
    expect(threads).toHaveLength(3);
  });

  it('keeps the thread of a raised level beside the accepted one, also when the run is repeated in a pipeline', async () => {
    const service = await testService();
    const gate = gateOn(service, { env: { CI_PIPELINE_IID: '5', CI_PROJECT_ID: '20' } });
    const low = created(await gate(['app.js:2:1: warning: unused name']));
    await resolve(service, low, 'developer');
    const raised = ['app.js:2:1: error: unused name'];
    const high = created(await gate(raised));
    expect(high).not.toBe(low);
    expect([(await gate(raised)).counts, (await gateOn(service, { env: { CI_PIPELINE_IID: '6', CI_PROJECT_ID: '20' } })(raised)).counts])
      .toEqual([{ kept: 1 }, { kept: 1 }]);
    expect((await threadOn(service, high)).notes).toMatchObject([{ resolved: false }]);
    await resolve(service, high, 'developer');
    expect((await gateOn(service, { env: { CI_PIPELINE_IID: '7', CI_PROJECT_ID: '20' } })(raised)).code).toBe(0);
  });
});

describe('a failing test whose tool writes the same message for each failure', () => {
  const junit = (failure: string) => `<testsuite name="t"><testcase name="adds" file="app.js" line="2">${failure}</testcase></testsuite>`;
  const rows: readonly (readonly [tool: string, report: (reason: string) => string])[] = [
    ['gotestsum', (reason) => `<failure message="Failed">=== RUN   adds\n    a_test.go:9: ${reason}\n--- FAIL: adds (0.00s)\n</failure>`],
    ['PHPUnit', (reason) => `<failure>ATest::adds\n${reason}\n\n/b/app.js:2</failure>`],
  ];

  it('is accepted for its reason only, and keeps its thread with any other', () => everyRow(rows, ([tool]) => tool, async ([, report]) => {
    const service = await testService();
    const gate = (reason: string) => gateOn(service)([junit(report(reason))], '--from', 'junit');
    const id = created(await gate('3 is not 4'));
    expect(await gate('no table')).toMatchObject({ code: 8, counts: { updated: 1 }, result: { updated: [{ discussion_id: id, message: 'no table' }] } });
    await resolve(service, id, 'developer');
    expect(await gate('no table')).toMatchObject({ code: 0, counts: { left: 1 } });
    expect(await gate('3 is not 4')).toMatchObject({ code: 8, counts: { created: 1 } });
  }));

  it('keeps the open thread that has only that message', () => everyRow(rows, ([tool]) => tool, async ([, report]) => {
    const service = await testService();
    const id = created(await gateOn(service)([junit('<failure message="ATest::adds">Failed</failure>')], '--from', 'junit'));
    expect(await gateOn(service)([junit(report('no table'))], '--from', 'junit'))
      .toMatchObject({ code: 8, counts: { updated: 1 }, result: { updated: [{ discussion_id: id }] } });
  }));
});

it('a thread whose test was skipped stays open until the test runs', async () => {
  const service = await testService();
  const junit = (...tests: readonly string[]) => gateOn(service)([`<testsuite name="t">${tests.join('')}</testsuite>`], '--from', 'junit');
  const test = (name: string, result: string) => `<testcase name="${name}" classname="a  &quot;\`b\`&quot;" file="app.js" line="2">${result}</testcase>`;
  const id = created(await junit(test('adds', '<failure message="no"/>')));
  const broken = await junit(test('adds', '<skipped/>'), test('loads', '<error message="no table"/>'));
  expect(broken).toMatchObject({ code: 8, counts: { created: 1, left: 1 }, result: { left: [{ discussion_id: id, reason: 'the test did not run' }] } });
  expect((await junit(test('adds', ''), test('loads', ''))).counts).toEqual({ resolved: 2 });
});

it('names the accepted thread of an equal line if both lines next to it changed, and accepts nothing', async () => {
  const service = await testService();
  const accepted = created(await gateOn(service)([finding]));
  await resolve(service, accepted, 'developer');
  const onOtherLines = (before: string, after: string) => gateOn(service, { files: { '/app/app.js': `${before}\nzwei\n${after}\nfour\n` } });
  const said = ({ err }: { err: string }) => /^.* not accepted any more.*$/m.exec(err)?.[0] ?? null;
  expect(await onOtherLines('eins', 'three')([finding])).toMatchObject({ code: 0, counts: { left: 1 } });
  const other = onOtherLines('eins', 'drei');
  expect(said(await other(['app.js:2:1: error: injection [r1]']))).toBeNull();
  const again = await other([finding]);
  expect([again.code, said(again)]).toEqual([8, 'app.js:2 is not accepted any more, since both lines next to it are not those of '
    + `thread ${accepted.slice(0, 8)}, which developer accepted: accept it again if that still holds`]);
  expect((await threadOn(service, accepted)).notes).toMatchObject([{ resolved: true }]);
  expect(said(await other([finding]))).toBeNull();
});

it('without a work tree, is that of the line in the diff, and accepts no equal message on another line', async () => {
  const service = await testService();
  const gate = gateOn(service, { git: { top: () => Promise.resolve(null) } });
  const on = (line: number) => gate([`app.js:${line}:1: error: no eval [r1]`], '--filter', 'diff');
  await resolve(service, created(await on(2)), 'developer');
  expect(await on(2)).toMatchObject({ code: 0, counts: { left: 1 } });
  expect(await on(3)).toMatchObject({ code: 8, counts: { created: 1 } });
  expect(await gateOn(service)(['app.js:2:1: error: no eval [r1]']), 'in a work tree').toMatchObject({ code: 0, counts: { left: 1 } });
});

describe('threads of the version before', () => {
  interface Stored { readonly key: string; readonly level: string; readonly report: string; readonly body: string; readonly position?: object }
  const stored = JSON.parse(readFileSync(join(import.meta.dirname, '../../../fixtures/threads/findings.json'), 'utf8')) as Stored[];

  /** mr/1 with that thread, resolved by somebody or open. */
  const withThread = async ({ body, position }: Stored, resolved_by: string | undefined) => {
    const projects = acme.projects!.map((project) => ({
      ...project, merge_requests: (project.merge_requests ?? []).map((each) => each.iid !== 1 ? each : { ...each, discussions: [
        ...each.discussions ?? [], {
          id: 'f'.repeat(40),
          notes: [{ id: 900, author: 'maintainer', body, ...(position && { position }), ...(resolved_by && { resolved_by }) }],
        },
      ] }),
    }));
    return gateOn(await testService({ world: { ...acme, projects } as typeof acme }));
  };
  const words = ({ key }: Stored) => ['--key', key, '--filter', 'all'];
  const others: readonly (readonly [name: string, change: (line: string) => string, isAccepted: boolean])[] = [
    ['the same', (line) => line, true],
    ['other numbers in the message', (line) => line.replace(/(?<=: \w+: .*)\d+(?!\])/g, (digits) => `${Number(digits) + 40}`), true],
    ['another message', (line) => line.replace(/(: \w+: ).*?( \[|$)/, '$1SQL injection$2'), false],
  ];

  it('are read: kept while they are open, reopened after the bot resolved them, and accepted like new ones', async () => {
    const rows = stored.flatMap((one) => others.map((other) => [one, ...other] as const));
    await everyRow(sampleOf(rows, 4), ([{ key }, name]) => `${key}, ${name}`, async ([one, , change, isAccepted]) => {
      expect((await (await withThread(one, 'developer'))([change(one.report)], ...words(one))).code).toBe(isAccepted ? 0 : 8);
      if (change(one.report) !== one.report) return;
      expect(await (await withThread(one, undefined))([one.report], ...words(one))).toMatchObject({ code: 8, counts: { kept: 1 } });
      expect(await (await withThread(one, 'maintainer'))([one.report], ...words(one))).toMatchObject({ code: 8, counts: { reopened: 1 } });
    });
  });

  it('accept their level and those below', async () => {
    const rows = stored.flatMap((one) => ['error', 'warning', 'note'].map((level) => [one, level] as const));
    await everyRow(sampleOf(rows, 4), ([{ key }, level]) => `${key} as ${level}`,
      async ([one, level]) => {
        const isAccepted = ['error', 'warning', 'note'].indexOf(level) >= ['error', 'warning', 'note'].indexOf(one.level);
        const gate = await withThread(one, 'developer');
        expect((await gate([one.report.replace(/: (error|warning|note): /, `: ${level}: `)], ...words(one))).code).toBe(isAccepted ? 0 : 8);
      });
  });

  it('accept nothing whose text a person changed', async () => {
    const [one] = stored as [Stored];
    const changed = { ...one, body: one.body.replace('**warning**', '**error**') };
    expect((await (await withThread(changed, 'developer'))([one.report], ...words(one))).code).toBe(8);
  });
});

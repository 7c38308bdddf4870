import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import type { World, WorldDiscussion } from '../../../../src/server/world-file/schema.js';
import { neutralText } from '../../../../src/markdown/safe-text.js';
import { testApp } from '../../../support/app.js';
import { runsOf } from '../../../support/extent.js';
import { withoutReport } from '../../../support/imports.js';
import { testService } from '../../../support/service.js';
import { acme, diff, refs } from '../../../support/worlds.js';

const [project] = acme.projects!;

/** The world `acme` whose merge request and issue have these threads. */
const worldWith = (given: readonly object[]): World => {
  const text = JSON.stringify(given);
  const discussions = JSON.parse(text) as WorldDiscussion[];
  return { ...acme, projects: [{
    ...project!, snippets: [], commits: [], issues: [{ id: 30, iid: 1, title: 'Issue', discussions: forIssue(text) }],
    merge_requests: [{
      id: 50, iid: 1, title: 'Change', base_sha: refs.base, start_sha: refs.start, head_sha: refs.head, diff, discussions,
    }],
  }] };
};

/** The same threads with other ids, and without what an issue does not have. */
const forIssue = (text: string): WorldDiscussion[] => (JSON.parse(text, (name, value: unknown) =>
  name === 'position' || name === 'resolved_by' ? undefined : value) as WorldDiscussion[])
  .map((thread) => ({ ...thread, id: `f${thread.id!.slice(1)}`, notes: thread.notes!.map((note) => ({ ...note, id: note.id! + 10_000 })) }));

const text = fc.oneof(fc.string({ unit: 'grapheme', minLength: 1 }), fc.constantFrom(
  '/close', '@root look\n/assign @root', '```\nopen fence', '<!-- open comment', 'see #1 and !1', '<!-- colloquy:key=x -->\n\nfirst',
)).filter((body) => body.trim() !== '');
const note = fc.record({ author: fc.constantFrom('developer', 'guest', 'reporter'), body: text });
const position = {
  base_sha: refs.base, start_sha: refs.start, head_sha: refs.head, position_type: 'text', old_path: 'app.js', new_path: 'app.js', new_line: 2,
};

const thread = fc.oneof(
  note.map((one) => ({ individual_note: true, notes: [one] })),
  note.map((one) => ({ individual_note: true, notes: [{ ...one, system: true }] })),
  fc.record({ notes: fc.array(note, { minLength: 1, maxLength: 4 }), isResolved: fc.boolean(), isOnDiff: fc.boolean() })
    .map(({ notes, isResolved, isOnDiff }) => ({ individual_note: false, notes: notes.map((one) => ({
      ...one, ...(isResolved && { resolved_by: 'developer' }), ...(isOnDiff && { position }) })) })),
);

const discussions = fc.array(thread, { minLength: 1, maxLength: 12 }).map((threads) => {
  let count = 0;
  return threads.map((one, i) => ({ ...one, id: (i + 1).toString(16).padStart(40, '0'), notes: one.notes.map((each) => ({
    ...each, id: 1_000 + ++count, created_at: new Date(Date.UTC(2023, 0, 1, 10, Math.floor(count / 2))).toISOString(),
  })) }));
});

const exported = async (service: Awaited<ReturnType<typeof testService>>, ref: string) => {
  const { run } = await testApp({ service, env: { COLLOQUY_TOKEN: 'owner-token' } });
  const { code, out } = await run('discussions', 'export', ref);
  expect(code).toBe(0);
  return withoutReport(out.trimEnd().split('\n').map((line) => JSON.parse(line) as Discussion));
};

/** What an import keeps of a note. */
const kept = ({ id, individual_note, notes }: Discussion, isSame: boolean) => ({
  ...(!isSame && { id }), individual_note,
  notes: notes.map(({ created_at, resolved, position, type }) => ({ created_at, resolved: resolved ?? false, position, type })),
});

it.each(['!1', '#1'])('threads of %s that were exported and imported elsewhere are the same, with a line about their author', async (ref) => {
  await fc.assert(fc.asyncProperty(discussions, async (given) => {
    const [from, to] = [
      await testService({ world: worldWith(given), quickActions: true }), await testService({ world: worldWith([]), quickActions: true }),
    ] as const;
    const source = await exported(from, ref);
    const { run } = await testApp({
      service: to, env: { COLLOQUY_TOKEN: 'owner-token' }, files: { f: source.map((one) => `${JSON.stringify(one)}\n`).join('') },
    });
    expect(await run('discussions', 'import', ref, 'f')).toMatchObject({ code: 0 });
    const copy = await exported(to, ref);
    expect(copy.map((one) => kept(one, true))).toEqual(source.map((one) => kept(one, true)));
    for (const [i, { notes }] of source.entries()) {
      for (const [j, { body, author, system }] of notes.entries()) {
        const [line, ...rest] = copy[i]!.notes[j]!.body.split('\n\n');
        expect(line).toMatch(new RegExp(`^\`${author.username}\`(?: wrote|: system note) on 2023-01-01 \\d\\d:\\d\\d UTC:$`));
        const shown = system ? rest.join('\n\n').replace(/^> /gm, '') : rest.join('\n\n');
        expect(normal(shown)).toBe(normal(neutralText(body).replaceAll('<!-- colloquy:', '<!-- colloquy\u2060:')));
      }
    }
    expect(await run('discussions', 'import', ref, 'f')).toMatchObject({ code: 0 });
    expect(await exported(to, ref)).toEqual(copy);
  }), { numRuns: runsOf(40) });
}, 60_000);

/** The service removes carriage returns and trailing white space. */
const normal = (body: string): string => body.replaceAll('\r', '').trimEnd();

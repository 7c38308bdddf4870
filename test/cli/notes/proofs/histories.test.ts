import { expect, it } from 'vitest';
import { sampleOf } from '../../../support/extent.js';
import { before, changed, fixed, inGit, proofRepository, type ProofRepository, source } from '../../../support/proofs.js';
import { everyRow } from '../../../support/rows.js';

/** What is done to a branch whose fix is pushed and named, and what becomes of the proof. */
interface Row {
  readonly name: string;
  readonly proof: 'verified' | 'renewed' | 'gone' | 'reverted';
  readonly act: (repository: ProofRepository) => Promise<void>;
  /** Where the service alone cannot tell: the check is red then. */
  readonly onService?: 'unknown' | Row['proof'];
}

/** How the thread was fixed. */
const fixes = { replaced: fixed, removed: changed.replace('bad(value);\n', ''), longer: changed.replace('bad(value)', 'const good = value;\nuse(good)') };

const other = 'src/other.ts';
const top = (text: string) => `// First line.\n${text}`;
const force = true;

const now = ({ git }: ProofRepository): string => `${git('show', `HEAD:${source}`)}\n`;

/** Rewrites the target branch, and puts the branch on it. */
const onNewTarget = (repository: ProofRepository, files: Record<string, string | null>): void => {
  const { git, commit } = repository;
  git('switch', '--quiet', 'main');
  commit(files, 'Work of others');
  git('switch', '--quiet', 'topic');
  git('rebase', '--quiet', 'main');
};

const rows: readonly Row[] = [
  { name: 'nothing', proof: 'verified', act: async () => undefined },
  { name: 'more commits', proof: 'verified', act: async ({ commit, push }) => {
    for (let i = 0; i < 3; i++) commit({ [other]: `${i}\n` });
    await push();
  } },
  { name: 'lines above', proof: 'verified', act: async (it) => { it.commit({ [source]: top(now(it)) }); await it.push(); } },
  { name: 'an amend of the message', proof: 'renewed', act: async ({ commit, push }) => { commit({}, 'Other words', '--amend'); await push(force); } },
  { name: 'an amend with another file', proof: 'renewed', act: async ({ commit, push }) => {
    commit({ [other]: 'x\n' }, 'More', '--amend');
    await push(force);
  } },
  { name: 'an amend with another place of the file', proof: 'renewed', act: async (it) => {
    it.commit({ [source]: now(it).replace('value18 = 18', 'value18 = 0') }, 'More', '--amend');
    await it.push(force);
  } },
  { name: 'an amend without the fix', proof: 'gone', act: async ({ commit, push }) => {
    commit({ [source]: changed, [other]: 'x\n' }, 'Not it', '--amend');
    await push(force);
  } },
  { name: 'a rebase onto other files', proof: 'renewed', act: async (it) => { onNewTarget(it, { 'src/new.ts': 'n\n' }); await it.push(force); } },
  { name: 'a rebase onto lines above', proof: 'renewed', act: async (it) => { onNewTarget(it, { [source]: top(before) }); await it.push(force); } },
  { name: 'a rebase in which a commit comes between', proof: 'renewed', act: async ({ git, commit, push, first }) => {
    const fix = git('rev-parse', 'HEAD');
    git('reset', '--quiet', '--hard', first);
    commit({ [other]: 'between\n' });
    git('cherry-pick', fix);
    await push(force);
  } },
  { name: 'a squash of all commits', proof: 'renewed', act: async ({ git, commit, push, base }) => {
    git('reset', '--quiet', '--soft', base);
    commit({}, 'All');
    await push(force);
  } },
  { name: 'a squash with more commits', proof: 'renewed', act: async ({ git, commit, push, base }) => {
    commit({ [other]: 'x\n' });
    git('reset', '--quiet', '--soft', base);
    commit({}, 'All');
    await push(force);
  } },
  { name: 'a squash after a rebase', proof: 'renewed', act: async (it) => {
    onNewTarget(it, { 'src/new.ts': 'n\n' });
    it.git('reset', '--quiet', '--soft', 'main');
    it.commit({}, 'All');
    await it.push(force);
  } },
  { name: 'a forced push without the fix', proof: 'gone', act: async ({ git, commit, push, first }) => {
    git('reset', '--quiet', '--hard', first);
    commit({ [other]: 'x\n' });
    await push(force);
  } },
  { name: 'a forced push of the first commit alone', proof: 'gone', act: async ({ git, push, first }) => {
    git('reset', '--quiet', '--hard', first);
    await push(force);
  } },
  { name: 'a revert', proof: 'reverted', act: async ({ git, push }) => { git('revert', '--no-edit', 'HEAD'); await push(); } },
  { name: 'a revert, later', proof: 'reverted', act: async ({ git, commit, push }) => {
    const fix = git('rev-parse', 'HEAD');
    commit({ [other]: 'x\n' });
    await push();
    git('revert', '--no-edit', fix);
    await push();
  } },
  { name: 'a revert of the revert', proof: 'verified', act: async ({ git, push }) => {
    git('revert', '--no-edit', 'HEAD');
    await push();
    git('revert', '--no-edit', 'HEAD');
    await push();
  } },
  { name: 'a cherry-pick onto the first commit', proof: 'renewed', act: async ({ git, commit, push, first }) => {
    const fix = git('rev-parse', 'HEAD');
    git('reset', '--quiet', '--hard', first);
    commit({ [other]: 'x\n' });
    await push(force);
    git('cherry-pick', fix);
    await push();
  } },
  { name: 'a rename of the file', proof: 'verified', act: async ({ git, commit, push }) => {
    git('mv', source, 'src/b.ts');
    commit({});
    await push();
  } },
  { name: 'a rename, and a rebase', proof: 'renewed', act: async (it) => {
    it.git('mv', source, 'src/b.ts');
    it.commit({});
    onNewTarget(it, { 'src/new.ts': 'n\n' });
    await it.push(force);
  } },
  { name: 'a rename, and the line as it was', proof: 'reverted', act: async ({ git, commit, push }) => {
    git('mv', source, 'src/b.ts');
    commit({ 'src/b.ts': changed });
    await push();
  } },
  { name: 'a move of the block', proof: 'verified', act: async (it) => {
    const lines = now(it).split('\n');
    it.commit({ [source]: [...lines.slice(8), ...lines.slice(0, 8)].join('\n').replace(/^\n/m, '') });
    await it.push();
  } },
  { name: 'a merge of the target', proof: 'verified', onService: 'renewed', act: async ({ git, commit, push }) => {
    git('switch', '--quiet', 'main');
    commit({ 'src/new.ts': 'n\n' });
    git('switch', '--quiet', 'topic');
    git('merge', '--quiet', '--no-edit', 'main');
    await push();
  } },
  { name: 'a merge of the target with lines above', proof: 'verified', onService: 'renewed', act: async ({ git, commit, push }) => {
    git('switch', '--quiet', 'main');
    commit({ [source]: top(before) });
    git('switch', '--quiet', 'topic');
    git('merge', '--quiet', '--no-edit', 'main');
    await push();
  } },
];

const all = Object.entries(fixes).flatMap(([fix, text]) => rows.flatMap((row) =>
  (['git', 'service'] as const).map((from) => ({ ...row, fix, text, from }))));

const proofFor = async (repository: ProofRepository, thread: string): Promise<string> => {
  const { code, err } = await repository.check('--proven');
  const { out } = await repository.run('discussions', 'list', '!1', '--json=id,proof', '--resolved');
  const { proof } = (JSON.parse(out) as { id: string; proof: string }[]).find(({ id }) => id === thread)!;
  expect([code, err], proof).toEqual([proof === 'none' ? 10 : ['verified', 'renewed'].includes(proof) ? 0 : 8, expect.any(String)]);
  return proof === 'none' ? 'unknown' : proof;
};

it('a proof is what became of its commit, whatever was done to the branch', async () => {
  await everyRow(sampleOf(all, 23), ({ name, fix, from }) => `${name}, line ${fix}, from ${from}`, async ({ act, text, from, ...row }) => {
    const repository = await proofRepository(from === 'git' ? inGit : {});
    const thread = await repository.comment();
    repository.commit({ [source]: text }, 'Fix');
    await repository.push();
    expect(await repository.resolve(thread, '--fixed-by', 'HEAD')).toMatchObject({ code: 0 });
    await act(repository);
    expect(await proofFor(repository, thread)).toBe(from === 'git' ? row.proof : row.onService ?? row.proof);
  });
}, 600_000);

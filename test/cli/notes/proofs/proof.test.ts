import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../../../src/cli/notes/proofs/proof.js';
import { openNamedTarget } from '../../../../src/cli/service/targets/target.js';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import { lineCode } from '../../../../src/diff/lines.js';
import { testApp, type WorldOptions } from '../../../support/app.js';
import { changed, fixed, inGit, proofRepository, source, type ProofRepository } from '../../../support/proofs.js';

const proofOf = async ({ service }: ProofRepository, id: string, options: WorldOptions = {}) => {
  const { app } = await testApp({ ...options, service });
  const { proofOf: find } = findingsOf(app, await openNamedTarget(app, {}, '!1'));
  return find((await service.get<Discussion>(`/projects/20/merge_requests/1/discussions/${id}`)).body);
};

const end = (oldLine: number, newLine: number) => ({ line_code: lineCode(source, { oldLine, newLine }), type: 'new' });
const lines6To8 = { old_line: 7, new_line: 8, line_range: { start: end(6, 6), end: end(7, 8) } };

describe.each([['in git', inGit], ['on the service', {}]])('a proof %s', (_, options) => {
  it('is verified, renewed after an amend, and gone without the change', async () => {
    const repository = await proofRepository(options);
    const thread = await repository.comment();
    expect(await proofOf(repository, thread, options)).toBe('none');
    repository.commit({ [source]: fixed }, 'Fix');
    await repository.push();
    await repository.resolve(thread, '--fixed-by', 'HEAD');
    expect(await proofOf(repository, thread, options)).toBe('verified');
    repository.commit({ 'src/other.ts': 'x\n' }, 'Fix, and more', '--amend');
    await repository.push(true);
    expect(await proofOf(repository, thread, options)).toBe('renewed');
    repository.git('reset', '--quiet', '--hard', repository.first);
    repository.commit({ 'src/other.ts': 'x\n' }, 'Something else');
    await repository.push(true);
    expect(await proofOf(repository, thread, options)).toBe('gone');
  });

  it('is reverted if the lines are back', async () => {
    const repository = await proofRepository(options);
    const thread = await repository.revertedThread();
    expect(await proofOf(repository, thread, options)).toBe('reverted');
  });

  it('is renewed by a squash, also if the fix only removed the line', async () => {
    const more = (text: string) => text.replace('const value5', 'x();\nconst value5').replace('const value7', 'y();\nconst value7');
    for (const text of [fixed, changed.replace('bad(value);\n', '')]) {
      const repository = await proofRepository(options);
      repository.commit({ [source]: more(changed) });
      await repository.push();
      const thread = await repository.comment({ new_line: 7 });
      repository.commit({ [source]: more(text) });
      await repository.push();
      expect((await repository.resolve(thread, '--fixed-by', 'HEAD')).code).toBe(0);
      repository.git('reset', '--quiet', '--soft', repository.base);
      repository.commit({}, 'All in one');
      await repository.push(true);
      expect(await proofOf(repository, thread, options)).toBe('renewed');
    }
  });

  it('is about the commented lines also if a push came before the comment on several lines was posted', async () => {
    const repository = await proofRepository(options);
    const above = (text: string) => `a\nb\nc\n${text}`;
    const { first, base } = repository;
    repository.commit({ [source]: above(changed) });
    await repository.push();
    const shas = { base_sha: base, start_sha: base, head_sha: first };
    const thread = await repository.comment({ ...shas, ...lines6To8 });
    repository.commit({ [source]: above(changed.replace('value4 = 4', 'value4 = 0')) });
    await repository.push();
    expect((await repository.resolve(thread, '--fixed-by', 'HEAD')).code).toBe(7);
    repository.git('mv', source, 'src/b.ts');
    repository.commit({ 'src/b.ts': above(fixed) });
    await repository.push();
    expect((await repository.resolve(thread, '--fixed-by', 'HEAD')).code).toBe(0);
    expect(await proofOf(repository, thread, options)).toBe('verified');
  });

  it('is about the commented lines also if a push has renamed the file of a comment on several lines', async () => {
    const repository = await proofRepository(options);
    const thread = await repository.comment({ ...lines6To8 });
    repository.git('mv', source, 'src/b.ts');
    repository.commit({ 'src/b.ts': `a\nb\nc\n${changed}` });
    await repository.push();
    repository.commit({ 'src/b.ts': `a\nb\nc\n${changed.replace('value4 = 4', 'value4 = 0')}` });
    await repository.push();
    expect((await repository.resolve(thread, '--fixed-by', 'HEAD')).code).toBe(7);
    repository.commit({ 'src/b.ts': `a\nb\nc\n${fixed}` });
    await repository.push();
    expect((await repository.resolve(thread, '--fixed-by', 'HEAD')).code).toBe(0);
  });

  it('is none if the named commit does not change the lines, whoever says so', async () => {
    const repository = await proofRepository(options);
    const thread = await repository.comment();
    const other = repository.commit({ 'src/other.ts': 'x\n' });
    await repository.push();
    await repository.service.post(`/projects/20/merge_requests/1/discussions/${thread}/notes`, { json: {
      body: `Fixed.\n\n<!-- colloquy:fix=${other} patch=${'0'.repeat(40)} hash=0000000000000000 -->` } });
    expect(await proofOf(repository, thread, options)).toBe('none');
  });
});

import { describe, expect, it } from 'vitest';
import { readMarker } from '../../../../../src/wire/note-text.js';
import { testApp } from '../../../../support/app.js';
import { changed, fixed, inGit, proofRepository, source } from '../../../../support/proofs.js';

const resolveChanged = (repository: Awaited<ReturnType<typeof proofRepository>>, ...flags: string[]) =>
  repository.run('discussions', 'resolve', '!1', '--all', '--changed', ...flags);

describe.each([['from git', inGit], ['from the service', {}]])('resolve --all --changed, read %s', (_, options) => {
  it('resolves the threads whose lines a later commit changed, with its proof, and no others', async () => {
    const repository = await proofRepository(options);
    const [line, other] = [await repository.comment(), await repository.comment({ new_line: 17 })];
    const [general, file] = [await repository.comment(null), await repository.comment({ position_type: 'file' })];
    const fix = repository.commit({ [source]: fixed }, 'Fix');
    await repository.push();
    repository.commit({ [source]: `// A comment.\n${fixed}` }, 'Move all lines');
    await repository.push();
    const { code, err, out } = await resolveChanged(repository, '--yes', '--json=id');
    expect({ code, out }).toEqual({ code: 0, out: `[{"id":"${line}"}]\n` });
    expect(err).toContain(`thread ${line} on ${source}:6, changed in ${fix.slice(0, 7)}: please fix this\n  - bad(value);\n  + good(value);\n`);
    const [, reply] = await repository.notesOf(line);
    expect(readMarker(reply!.body)).toMatchObject({ text: `Fixed in ${fix.slice(0, 7)}.`, marker: { fix, changed: 'yes' } });
    for (const id of [other, general, file]) expect(await repository.notesOf(id)).toHaveLength(1);
    const { sent, err: again } = await resolveChanged(repository, '--yes');
    expect(sent.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(again).toContain('no unresolved threads on mr/1 whose commented lines have changed\n');
  });

  it('leaves a thread whose lines only moved, or are back as they were', async () => {
    const repository = await proofRepository(options);
    await repository.comment();
    repository.commit({ [source]: `// A comment.\n${changed}` }, 'Move all lines');
    await repository.push();
    repository.commit({ [source]: `// A comment.\n${fixed}` }, 'Fix');
    await repository.push();
    repository.commit({ [source]: `// A comment.\n${changed}` }, 'Revert the fix');
    await repository.push();
    const { code, sent } = await resolveChanged(repository, '--yes');
    expect({ code, writes: sent.filter(({ method }) => method !== 'GET') }).toEqual({ code: 0, writes: [] });
  });
});

describe('resolve --all --changed', () => {
  it('asks once, at a terminal, and changes nothing if the user declines', async () => {
    const repository = await proofRepository({ ...inGit, terminal: true, answers: [false] });
    const threads = [await repository.comment(), await repository.comment()];
    repository.commit({ [source]: fixed }, 'Fix');
    await repository.push();
    expect(await resolveChanged(repository)).toMatchObject({ code: 3 });
    expect(repository.asked).toEqual(['Resolve 2 threads of mr/1 on http://service.test?']);
    for (const id of threads) expect(await repository.notesOf(id)).toHaveLength(1);
  });

  it('takes only the threads of the token in CI', async () => {
    const repository = await proofRepository({ ...inGit, env: { COLLOQUY_TOKEN: 'developer-token', CI: 'true' } });
    const thread = await repository.comment();
    repository.commit({ [source]: fixed }, 'Fix');
    await repository.push();
    expect((await resolveChanged(repository, '--yes')).code).toBe(0);
    expect(await repository.notesOf(thread)).toHaveLength(1);
  });

  it('counts as resolved by the author of the merge request, who wrote the change', async () => {
    const repository = await proofRepository({ ...inGit, env: { COLLOQUY_TOKEN: 'maintainer-token' } });
    const thread = await repository.comment();
    const fix = repository.commit({ [source]: fixed }, 'Fix');
    await repository.push();
    await resolveChanged(repository, '--yes');
    const asOwner = { env: { COLLOQUY_TOKEN: 'owner-token' } };
    const check = async (...flags: string[]) =>
      (await (await testApp({ ...inGit, ...asOwner, service: repository.service })).run('discussions', 'check', '!1', ...flags)).code;
    expect([await check(), await check('--proven', '--require-proof'), await check('--accept-by', 'others')]).toEqual([0, 0, 8]);
    expect((await repository.resolve(thread, '--fixed-by', fix)).code).toBe(0);
    expect(await check('--accept-by', 'others')).toBe(0);
  });

  it('says which threads it left because the commits cannot be read', async () => {
    const repository = await proofRepository({ answer: ({ target }) => target.includes('/repository/')
      ? { status: 404, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"message":"404 Not Found"}') } : undefined });
    const thread = await repository.comment();
    repository.commit({ [source]: fixed }, 'Fix');
    await repository.push();
    const { code, err } = await resolveChanged(repository, '--yes');
    expect({ code, isLeft: err.includes(`left thread ${thread}: what the commits change cannot be read\n`) }).toEqual({ code: 0, isLeft: true });
  });

  it('needs --all, and takes no commit', async () => {
    const repository = await proofRepository(inGit);
    expect(await repository.resolve('1234567', '--changed')).toMatchObject({ code: 2, err: expect.stringContaining('--changed requires --all') as string });
    expect(await resolveChanged(repository, '--fixed-by', 'HEAD')).toMatchObject({
      code: 2, err: expect.stringContaining('--changed and --fixed-by cannot be combined') as string });
  });
});

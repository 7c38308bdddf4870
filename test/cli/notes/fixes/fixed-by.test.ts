import { describe, expect, it } from 'vitest';
import { readMarker } from '../../../../src/wire/note-text.js';
import { testApp } from '../../../support/app.js';
import { changed, fixed, inGit, proofRepository, source } from '../../../support/proofs.js';

describe.each([['from git', inGit], ['from the service', {}]])('resolve --fixed-by, verified %s', (_, options) => {
  it('adds one reply that names the commit, with a marker, and resolves the thread', async () => {
    const repository = await proofRepository(options);
    const thread = await repository.comment();
    const fix = repository.commit({ [source]: fixed }, 'Fix');
    await repository.push();
    for (const word of [fix.slice(0, 8), fix, 'HEAD']) {
      expect(await repository.resolve(thread, '--fixed-by', word)).toMatchObject({ code: 0 });
    }
    const notes = await repository.notesOf(thread);
    expect(notes).toHaveLength(2);
    const { text, marker } = readMarker(notes[1]!.body);
    expect(text).toBe(`Fixed in ${fix.slice(0, 7)}.`);
    expect(marker).toMatchObject({ fix, file: source });
    expect([marker!['patch'], marker!['lines']].map((text) => text!.length)).toEqual([40, 16]);
    expect(notes.every(({ resolved }) => resolved)).toBe(true);
  });

  it('refuses a commit that does not change the commented lines, and writes nothing', async () => {
    const repository = await proofRepository(options);
    const thread = await repository.comment();
    const above = repository.commit({ [source]: changed.replace('bad(value)', '// A comment.\nbad(value)') }, 'Comment');
    await repository.push();
    const { code, err, sent } = await repository.resolve(thread, '--fixed-by', above);
    expect({ code, err, writes: sent.filter(({ method }) => method !== 'GET') }).toEqual({
      code: 7, writes: [], err: `colloquy: cannot verify that ${above.slice(0, 7)} fixed thread ${thread}: it does not change the commented lines\n`
        + 'name the commit that changes the commented lines, or pass --force to resolve without a proof\n' });
    expect((await repository.resolve(thread, '--fixed-by', repository.first)).code).toBe(7);
  });

  it('refuses a commit that is not pushed, and one that was replaced', async () => {
    const repository = await proofRepository(options);
    const thread = await repository.comment();
    const fix = repository.commit({ [source]: fixed });
    const { code, err } = await repository.resolve(thread, '--fixed-by', fix);
    expect(code).toBe(7);
    expect(err).toMatch(/it is not among the commits of mr\/1\npush the commit first, or pass --force/);
    await repository.push();
    repository.commit({}, 'Change, amended', '--amend');
    await repository.push(true);
    expect(await repository.resolve(thread, '--fixed-by', fix)).toMatchObject({ code: 7 });
    expect(await repository.resolve(thread, '--fixed-by', 'HEAD')).toMatchObject({ code: 0 });
  });

  it('takes any commit for a general thread, and one that changes the file for a thread on a file', async () => {
    const repository = await proofRepository(options);
    const [general, file] = [await repository.comment(null), await repository.comment({ position_type: 'file' })];
    const other = repository.commit({ 'src/other.ts': 'x\n' });
    await repository.push();
    expect((await repository.resolve(general, '--fixed-by', other)).code).toBe(0);
    const { code, err } = await repository.resolve(file, '--fixed-by', other);
    expect({ code, isOther: err.includes('it does not change the commented file') }).toEqual({ code: 7, isOther: true });
    const empty = repository.commit({}, 'Nothing');
    await repository.push();
    expect((await repository.resolve(general, '--fixed-by', empty)).err).toContain('it changes nothing');
    const fix = repository.commit({ [source]: fixed });
    await repository.push();
    expect((await repository.resolve(file, '--fixed-by', fix)).code).toBe(0);
  });

  it('writes an unverified reply with --force, which is no proof', async () => {
    const repository = await proofRepository(options);
    const thread = await repository.comment();
    expect((await repository.resolve(thread, '--fixed-by', repository.first, '--force')).code).toBe(0);
    const [, reply] = await repository.notesOf(thread);
    expect(readMarker(reply!.body)).toMatchObject({
      text: `Fixed in ${repository.first.slice(0, 7)}, which was not verified.`, marker: { unverified: repository.first } });
    expect(readMarker(reply!.body).marker).not.toHaveProperty('fix');
  });
});

describe('resolve --fixed-by', () => {
  it('verifies all threads before it writes', async () => {
    const repository = await proofRepository(inGit);
    const [one, other] = [await repository.comment(), await repository.comment({ new_line: 7, old_line: 6 })];
    const fix = repository.commit({ [source]: fixed });
    await repository.push();
    const { code, err, sent } = await repository.run('discussions', 'resolve', '!1', '--all', '--yes', '--fixed-by', fix);
    expect({ code, writes: sent.filter(({ method }) => method !== 'GET') }).toEqual({ code: 7, writes: [] });
    expect(err).toContain(other);
    expect((await repository.run('discussions', 'resolve', '!1', one, '--fixed-by', fix, '--json=id')).out).toBe(`{"id":"${one}"}\n`);
  });

  it('shows both requests in a dry run, and sends none of them', async () => {
    const repository = await proofRepository(inGit);
    const thread = await repository.comment();
    repository.commit({ [source]: fixed });
    await repository.push();
    const { code, out, sent } = await repository.resolve(thread, '--fixed-by', 'HEAD', '--dry-run');
    expect({ code, methods: [...new Set(sent.map(({ method }) => method))] }).toEqual({ code: 0, methods: ['GET'] });
    expect(out).toContain(`/discussions/${thread}/notes`);
    expect(out).toMatch(/PUT .*"resolved"|PUT/);
  });

  it('keeps what somebody wrote into the reply, and names another commit above it', async () => {
    const repository = await proofRepository(inGit);
    const thread = await repository.comment();
    repository.commit({ [source]: fixed });
    await repository.push();
    await repository.resolve(thread, '--fixed-by', 'HEAD');
    const [, { id }] = await repository.notesOf(thread) as [unknown, { id: number }];
    await repository.run('notes', 'edit', '!1', String(id), '-m', 'Because of a race.');
    const bodies = async () => (await repository.notesOf(thread)).slice(1).map(({ body }) => readMarker(body).text);
    expect((await repository.resolve(thread, '--fixed-by', 'HEAD')).code).toBe(0);
    expect(await bodies()).toEqual(['Because of a race.']);
    const other = repository.first;
    for (let run = 0; run < 2; run++) {
      expect((await repository.resolve(thread, '--fixed-by', other, '--force')).code).toBe(0);
      expect(await bodies()).toEqual([`Fixed in ${other.slice(0, 7)}, which was not verified.\n\nBecause of a race.`]);
    }
  });

  it('renews the reply of a thread that is resolved already', async () => {
    const repository = await proofRepository(inGit);
    const thread = await repository.comment();
    repository.commit({ [source]: fixed }, 'Fix');
    await repository.push();
    await repository.resolve(thread, '--fixed-by', 'HEAD');
    repository.commit({}, 'Fix, amended', '--amend');
    await repository.push(true);
    const head = repository.git('rev-parse', 'HEAD');
    const { code, out } = await repository.resolve(thread, '--fixed-by', head, '--json');
    expect(code).toBe(0);
    expect(out).toContain(`Fixed in ${head.slice(0, 7)}.`);
    const notes = await repository.notesOf(thread);
    expect(notes).toHaveLength(2);
    expect(readMarker(notes[1]!.body).marker).toMatchObject({ fix: head });
  });

  it('writes one reply for each thread, with 30 % of the requests failing after they are carried out, and killed at any request', async () => {
    const repository = await proofRepository(inGit);
    const ids = [await repository.comment(), await repository.comment()];
    repository.commit({ [source]: fixed });
    await repository.push();
    const faults = ['status 502 after', 'reset after', 'status 502 before'];
    await repository.service.faults(faults.map((action) => ({ on: '*', do: action, probability: 0.1 })), 7);
    for (let killAt = 1; killAt < 24; killAt++) {
      let count = 0;
      const world = await testApp({ ...inGit, service: repository.service, answer: (request) => {
        if (++count !== killAt) return undefined;
        return repository.service.handle(request).then(() => {
          world.stop.abort(new DOMException('killed', 'AbortError'));
          throw world.stop.signal.reason as Error;
        });
      } });
      await world.run('discussions', 'resolve', '!1', ...ids, '--fixed-by', 'HEAD', '--retries', '5');
    }
    await repository.service.faults([]);
    expect((await repository.run('discussions', 'resolve', '!1', ...ids, '--fixed-by', 'HEAD')).code).toBe(0);
    for (const id of ids) expect((await repository.notesOf(id)).map(({ resolved }) => resolved)).toEqual([true, true]);
  });

  it('is for merge requests, and takes no option as a commit', async () => {
    const repository = await proofRepository(inGit);
    const thread = await repository.comment();
    expect(await repository.run('discussions', 'resolve', '#1', '1234', '--fixed-by', 'HEAD')).toMatchObject({ code: 2 });
    expect((await repository.resolve(thread, '--fixed-by=--output=x')).code).toBe(7);
    expect((await repository.resolve(thread, '--fixed-by', 'ffffffff')).code).toBe(7);
    expect((await repository.resolve(thread, '--force')).err).toContain('--force requires --fixed-by');
  });
});

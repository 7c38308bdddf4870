import { describe, expect, it } from 'vitest';
import { ranIn, testApp, type WorldOptions } from '../../../../support/app.js';
import { testService } from '../../../../support/service.js';

const add = async (options: WorldOptions, ...flags: string[]) => {
  const { code, err, sent } = await ranIn(options, 'notes', 'add', '!1', ...flags);
  return { code, err, body: sent[0] && (JSON.parse(String(sent[0].body)) as { body: string }).body };
};

describe('the text of a note', () => {
  it('is the message; several messages are paragraphs', async () => {
    expect((await add({}, '-m', 'one')).body).toBe('one');
    expect((await add({}, '-m', 'one', '--message', 'two', '--message=three')).body).toBe('one\n\ntwo\n\nthree');
  });

  it('is a file without its last line break', async () => {
    expect((await add({ files: { 'a.md': 'one\n\ntwo\n' } }, '-F', 'a.md')).body).toBe('one\n\ntwo');
    expect((await add({ files: { 'a.md': 'one\r\n' } }, '--body-file', 'a.md')).body).toBe('one');
  });

  it('is standard input, given as - or piped', async () => {
    expect((await add({ stdin: 'piped\n' }, '-F', '-')).body).toBe('piped');
    expect((await add({ stdin: 'piped\n' })).body).toBe('piped');
    expect((await add({ stdin: 'piped\n' }, '-m', 'given')).body).toBe('given');
  });

  it('runs no quick actions, mentions nobody and links nothing if it is piped', async () => {
    const stdin = '/close\n@ada see #1, !2 and &3';
    const harmless = '\u2060/close\n@\u2060ada see #\u20601, !\u20602 and &\u20603';
    expect((await add({ stdin })).body).toBe(harmless);
    expect((await add({ stdin }, '-F', '-')).body).toBe(harmless);
    expect((await add({ stdin }, '--raw-text')).body).toBe(stdin);
    expect((await add({}, '-m', stdin)).body).toBe(stdin);
    expect((await add({ files: { 'a.md': stdin } }, '-F', 'a.md')).body).toBe(stdin);
  });

  it('stays neutral when the service deletes its carriage returns', async () => {
    const service = await testService({ dialect: 'live' });
    const app = await testApp({ service, stdin: 'log\n/\rclose\n@\rall' });
    expect((await app.run('notes', 'add', '#1', '--json=body')).out).toBe('{"body":"log\\n/\\nclose\\n@\\nall"}\n');
    expect((await app.run('api', 'GET', 'projects/:project/issues/1', '-q', '.state')).out).toBe('opened\n');
    expect((await add({ files: { 'a.md': '/\rclose\n@\rall' }, env: { CI: 'true' } }, '-F', 'a.md')).err)
      .toContain('a.md is sent with 1 command and 1 mention; --neutral');
  });

  it('is neutral from a file with --neutral', async () => {
    const files = { 'a.md': '/close\n@ada `@x`' };
    expect((await add({ files }, '-F', 'a.md', '--neutral')).body).toBe('\u2060/close\n@\u2060ada `@x`');
    expect((await add({ stdin: '@ada' }, '--neutral')).body).toBe('@\u2060ada');
    expect((await add({ stdin: '@ada' }, '-F', '-', '--neutral')).body).toBe('@\u2060ada');
  });

  it('hides the values of secret variables if it comes from a file or a pipe, not from a person', async () => {
    const env = { DEPLOY_TOKEN: 'se+cret/12', DB_PWD: 'first-line\nother-line', SHELL: '/bin/not-secret' };
    const text = 'a se+cret/12 b se%2Bcret%2F12 first-line c /bin/not-secret se\0+cret/12';
    const masked = 'a [masked] b [masked] [masked] c /bin/not-secret [masked]';
    const rows: [string, WorldOptions, string[], string | null][] = [
      ['a file', { files: { 'a.md': text } }, ['-F', 'a.md'], 'a.md'],
      ['standard input', { stdin: text }, [], 'standard input'],
      ['standard input as it is', { stdin: text }, ['-F', '-', '--raw-text'], 'standard input'],
      ['a message', {}, ['-m', text.replace('\0', '')], null],
    ];
    for (const [name, options, words, from] of rows) {
      const { body, err } = await add({ ...options, env }, ...words);
      expect([name, body]).toEqual([name, from === null ? text.replace('\0', '') : masked]);
      expect(err.includes('masked the values of secret variables')).toBe(from !== null);
      if (from !== null) expect(err).toContain(`masked the values of secret variables in ${from}\n`);
    }
    const { sent } = await ranIn({ stdin: 'x = "se+cret/12"\n', env }, 'discussions', 'create', '!1', '--file', 'app.js:2', '--suggest', '-');
    expect(String(sent.at(-1)!.body)).toContain('[masked]');
  });

  it('counts the commands and mentions of a file in a CI job, which is sent as it is', async () => {
    const text = '/close\n@ada and @bob see #1\n';
    const options = { files: { 'a.md': text, 'b.md': 'see #1\n' }, env: { CI: 'true' } };
    const { err, body } = await add(options, '-F', 'a.md');
    expect(err).toContain('a.md is sent with 1 command and 2 mentions; --neutral disables them, --raw-text keeps them\n');
    expect(body).toContain('/close\n@ada and @bob');
    for (const words of [['a.md', '--raw-text'], ['a.md', '--quiet'], ['b.md'], ['a.md', '--neutral']]) {
      expect((await add(options, '-F', ...words)).err).not.toContain('is sent with');
    }
    expect((await add({ files: options.files }, '-F', 'a.md')).err).not.toContain('is sent with');
  });

  it('says on stderr what was disabled, and nothing if nothing was', async () => {
    const stdin = '/close\n@ada and @bob see #1\n\n```suggestion\nx\n```\n';
    const counts = '2 mentions, 1 command, 1 reference, 1 suggestion';
    expect((await add({ stdin })).err.split('\n')[0]).toBe(`disabled in standard input: ${counts}; --raw-text sends the text as it is`);
    expect((await add({ files: { 'a.md': stdin } }, '-F', 'a.md', '--neutral')).err).toContain(`disabled in a.md: ${counts}\n`);
    for (const words of [['--raw-text'], ['--quiet']]) expect((await add({ stdin }, ...words)).err).not.toContain('neutral');
    expect((await add({ stdin: 'nothing here' })).err).not.toContain('neutral');
    expect((await add({ stdin, terminal: false }, '-m', '@ada')).err).not.toContain('neutral');
  });

  it.each([
    ['--neutral', '--raw-text', ['-F', 'a.md', '--raw-text']], ['--neutral', '--message', ['-m', 'x']],
    ['--neutral', '--editor', ['-e']], ['--neutral', '--recover', ['--recover']],
  ])('rejects %s with %s', async (one, other, words) => {
    const files = { 'a.md': 'x' };
    expect(await add({ files, env: { EDITOR: 'x' } }, one, ...words)).toMatchObject({
      code: 2, body: undefined, err: `colloquy: ${one} and ${other} cannot be combined\nuse only one of them\n` });
  });

  it('has no NUL, which the service rejects, and a note says so', async () => {
    const note = 'removed 2 NUL characters from the text\n';
    for (const [options, words] of [
      [{ stdin: 'a\0b\0\n' }, []], [{ stdin: 'a\0b\0\n' }, ['--raw-text']], [{}, ['-m', 'a\0b\0']],
      [{ files: { 'a.md': 'a\0b\0' } }, ['-F', 'a.md']], [{ terminal: true, edit: () => 'a\0b\0' }, ['-e']],
    ] as const) {
      const ran = await add(options, ...words);
      expect([ran.body, ran.err.includes(note)]).toEqual(['ab', true]);
    }
    expect((await add({ stdin: 'ab' })).err).not.toContain('NUL');
  });

  it('is the text saved in the editor', async () => {
    expect((await add({ terminal: true, edit: () => 'written\n' }, '-e')).body).toBe('written');
    expect(await add({ edit: () => 'written' }, '-e')).toMatchObject({ code: 2, body: undefined });
    expect(await add({ edit: () => 'written', env: { EDITOR: 'script' } }, '-e')).toMatchObject({ code: 0, body: 'written' });
    expect(await add({ edit: () => 'written', env: { VISUAL: 'script' } }, '-e', '--no-input')).toMatchObject({ code: 2, body: undefined });
    expect(await add({ terminal: true, edit: () => 'written' }, '-e', '--no-input')).toMatchObject({ code: 2, body: undefined });
  });

  it('comes from one source', async () => {
    expect(await add({}, '-m', 'a', '-F', 'b')).toMatchObject({
      code: 2, body: undefined, err: expect.stringContaining('--message and --body-file cannot be combined') as string });
    expect((await add({ terminal: true }, '-m', 'a', '-e')).code).toBe(2);
    expect((await add({ stdin: 'b' }, '-m', 'a', '-F', '-')).code).toBe(2);
    expect((await add({}, '-m', 'a', '--recover')).err).toContain('--message and --recover cannot be combined');
    expect((await add({}, '-F', 'a.md', '--recover')).code).toBe(2);
  });

  it('is required', async () => {
    expect(await add({})).toMatchObject({ code: 2, err: expect.stringContaining('-m TEXT') as string });
    expect(await add({ terminal: true }, '--no-input')).toMatchObject({ code: 2, err: expect.stringContaining('-m TEXT') as string });
  });

  it('is written in the editor if none is given on a terminal', async () => {
    expect((await add({ terminal: true, edit: () => 'written\n' })).body).toBe('written');
  });

  it.each([[{}, ['-m', '']], [{}, ['-m', ' ', '-m', '\n']], [{ files: { 'a.md': '\n' } }, ['-F', 'a.md']], [{ stdin: ' \n' }, []]])(
    'that is blank is rejected before a request: %j %j', async (options: WorldOptions, flags) => {
      for (const command of [['notes', 'add', '!1'], ['notes', 'edit', '!1', '121'], ['discussions', 'reply', '!1', '3333']]) {
        expect(await ranIn(options, ...command, ...flags)).toMatchObject({
          code: 2, sent: [], err: 'colloquy: the text is empty\npass a text with -m TEXT, -F FILE, -e, or on standard input\n' });
      }
    });

  it('may be blank beside a suggestion', async () => {
    const { code, sent } = await ranIn({}, 'notes', 'add', '!1', '-m', '', '--file', 'app.js:2', '--suggest', 'x');
    expect({ code, body: (JSON.parse(String(sent.findLast(({ method }) => method === 'POST')!.body)) as { body: string }).body })
      .toEqual({ code: 0, body: '```suggestion:-0+0\nx\n```' });
  });

  it('is rejected if the file cannot be read or is not text', async () => {
    expect(await add({}, '-F', 'missing.md')).toMatchObject({
      code: 2, err: 'colloquy: cannot read missing.md: no such file\ncheck the path\n' });
    expect(await add({ files: { 'x.bin': new Uint8Array([0xff, 0xfe]) } }, '-F', 'x.bin')).toMatchObject({
      code: 2, err: 'colloquy: x.bin is not UTF-8 text\nconvert it to UTF-8 first\n' });
  });

  it('starts in the editor with the current text when a note is edited', async () => {
    const world = await testApp({ terminal: true, edit: (text) => text.replace('see below', 'see above') });
    const { code, sent } = await world.run('notes', 'edit', '!1', '121', '-e');
    expect(code).toBe(0);
    expect(JSON.parse(String(sent.at(-1)!.body))).toEqual({ body: 'see above' });
  });
});

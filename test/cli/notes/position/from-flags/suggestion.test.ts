import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { suggestionBlock } from '../../../../../src/cli/notes/position/from-flags.js';
import { json } from '../../../../support/answers.js';
import { ranIn, testApp, type WorldOptions } from '../../../../support/app.js';
import { testService } from '../../../../support/service.js';
import { acme, threads } from '../../../../support/worlds.js';

const create = async (...flags: string[]) => createIn({}, ...flags);

const createIn = async (options: WorldOptions, ...flags: string[]) => {
  const { code, err, sent } = await ranIn(options, 'discussions', 'create', '!1', ...flags);
  const post = sent.find(({ method }) => method === 'POST');
  return { code, err, body: post && (JSON.parse(String(post.body)) as { body: string }).body };
};

describe('--suggest', () => {
  it('adds a suggestion for the line to the text', async () => {
    expect(await create('--file', 'app.js:2', '-m', 'Shorter:', '--suggest', '2')).toMatchObject({
      code: 0, body: 'Shorter:\n\n```suggestion:-0+0\n2\n```' });
  });

  it('can be the whole text, even where standard input is not a terminal', async () => {
    expect(await create('--file', 'app.js:2', '--suggest', '2')).toMatchObject({ code: 0, body: '```suggestion:-0+0\n2\n```' });
  });

  it('replaces all lines of a range: the note is on the last one', async () => {
    expect((await create('--file', 'app.js:2-4', '--suggest', 'a\nb')).body).toBe('```suggestion:-2+0\na\nb\n```');
  });

  it('is rejected if it would replace more lines than the service does', async () => {
    const diff = `diff --git a/new.txt b/new.txt\nnew file mode 100644\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,102 @@\n${'+x\n'.repeat(102)}`;
    const [app] = acme.projects!;
    const world = { ...acme, projects: [{ ...app!, merge_requests: [{ ...app!.merge_requests![0]!, diff, discussions: [] }] }] };
    const options = { service: await testService({ world }) };
    expect((await createIn(options, '--file', 'new.txt:2-102', '--suggest', 'one')).body).toBe('```suggestion:-100+0\none\n```');
    expect(await createIn(options, '--file', 'new.txt:1-102', '--suggest', 'one')).toMatchObject({ code: 2, body: undefined, err:
      'colloquy: the suggestion is for 102 lines, of which the service replaces only the last 101\nname at most 101 lines, or split the suggestion\n' });
  });

  it('removes the line if it is empty', async () => {
    expect((await create('--file', 'app.js:2', '--suggest', '')).body).toBe('```suggestion:-0+0\n```');
  });

  it('is rejected if it has only blank lines, because the service would remove the line', async () => {
    for (const text of ['\n', ' \n\t\n']) {
      expect(await create('--file', 'app.js:2', '--suggest', text)).toMatchObject({ code: 2, body: undefined, err:
        "colloquy: a suggestion of blank lines alone deletes the lines\npass --suggest '' to delete them, or name a line next to them too\n" });
    }
  });

  it('can come from standard input, with or without a text', async () => {
    const piped = async (stdin: string, ...flags: string[]) => {
      const { code, err, sent } = await ranIn({ stdin }, 'notes', 'add', '!1', '--file', 'app.js:2', '--suggest', '-', ...flags);
      const post = sent.find(({ method }) => method === 'POST');
      return { code, err, body: post && (JSON.parse(String(post.body)) as { body: string }).body, sent };
    };
    expect((await piped('  a @ada\n  b\n')).body).toBe('```suggestion:-0+0\n  a @ada\n  b\n```');
    expect((await piped('a\n', '-m', 'Better:')).body).toBe('Better:\n\n```suggestion:-0+0\na\n```');
    expect(await piped('')).toMatchObject({
      code: 2, sent: [], err: "colloquy: no suggestion on standard input\npass --suggest '' to suggest deleting the lines\n" });
    expect(await piped('a', '-F', '-')).toMatchObject({ code: 2, sent: [], err: expect.stringContaining('standard input can be used only once') as string });
  });

  it.each([['discussions', 'create'], ['notes', 'add']])('from standard input is kept if it cannot be sent: %s %s', async (...command) => {
    let isBroken = true;
    const world = await testApp({ stdin: '  a\n\n', answer: () => isBroken ? json(403, { message: 'no' }) : undefined });
    const words = [...command, '!1', '--file', 'app.js:2', '-m', 'Better:', '--suggest', '-'];
    const failed = await world.run(...words);
    expect([failed.code, [...world.drafts.values()]]).toEqual([5, ['  a\n\n']]);
    expect(failed.err).toContain('draft saved; run again with --recover (');
    isBroken = false;
    expect((await world.run(...command, '!1', '--recover')).code).toBe(6);
    const { code, sent } = await world.run(...words, '--recover');
    const { body } = JSON.parse(String(sent.find(({ method }) => method === 'POST')!.body)) as { body: string };
    expect({ code, body, left: [...world.drafts] }).toEqual({ code: 0, body: 'Better:\n\n```suggestion:-0+0\n  a\n\n```', left: [] });
  });

  it('from standard input is not saved by a dry run or in CI, and is found if the response was lost', async () => {
    const words = ['notes', 'add', '!1', '--file', 'app.js:2', '--suggest', '-', '--retries', '0'];
    const dry = await testApp({ stdin: 'a' });
    expect([(await dry.run(...words, '--dry-run')).code, dry.drafts.size]).toEqual([0, 0]);
    const job = await testApp({ stdin: 'a', env: { CI: 'true' }, answer: () => json(403, {}) });
    expect([(await job.run(...words)).err, job.drafts.size]).toEqual([expect.stringContaining('drafts are disabled in CI'), 0]);
    let isBroken = true;
    const lost = await testApp({ stdin: 'a', answer: async (request) => {
      const response = await service.handle(request);
      return isBroken && (request.method === 'POST' || request.target.includes('discussions')) ? json(500, {}) : response;
    } });
    const { service } = lost;
    expect([(await lost.run(...words)).code, lost.drafts.size]).toEqual([10, 1]);
    isBroken = false;
    const { code, sent } = await lost.run(...words, '--recover');
    expect([code, sent.filter(({ method }) => method === 'POST'), lost.drafts.size]).toEqual([0, [], 0]);
  });

  it.each([
    ['without a position', ['-m', 'x'], '--suggest requires a line of the diff'],
    ['on an image', ['--file', 'pixel.png', '--image-at', '1,1', '--image-size', '2x2'], '--suggest requires a line of the diff'],
    ['on a removed line', ['--file', 'app.js:old:2'], 'a suggestion requires a line of the new version'],
    ['with another line to fall back to', ['--file', 'app.js:2', '--if-unanchored', 'nearest'], '--suggest and --if-unanchored nearest cannot be combined'],
  ])('is rejected %s', async (_, flags, message) => {
    expect(await create(...flags, '--suggest', 'x')).toMatchObject({ code: 2, body: undefined, err: expect.stringContaining(message) as string });
  });

  it('cannot be combined with --thread, because a reply has no position of its own', async () => {
    const { code, sent } = await ranIn({}, 'notes', 'add', '!1', '--thread', threads.thread, '--suggest', 'x');
    expect({ code, posts: sent.filter(({ method }) => method === 'POST') }).toEqual({ code: 2, posts: [] });
  });

  it('has a fence that is longer than any in the text', () => {
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom('`', '~', 'a', '\n') }), (text) => {
      const block = suggestionBlock(text, 0);
      const fence = /^`+/.exec(block)![0];
      expect(fence.length).toBeGreaterThanOrEqual(3);
      expect(block.endsWith(`\n${fence}`)).toBe(true);
      expect(text).not.toContain(fence);
    }));
  });
});

import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../../../src/cli/command-line/failure.js';
import type { GlobalFlags } from '../../../../src/cli/command-line/flags.js';
import { canAsk, consent, wrappedText, say, sayIfDryRun, showHelp } from '../../../../src/cli/terminal/io/messages.js';
import { testApp, type WorldOptions } from '../../../support/app.js';

/** What work writes to stderr and stdout of an app, and what it asks. */
const written = async (options: WorldOptions, work: (app: Awaited<ReturnType<typeof testApp>>['app']) => Promise<void>) => {
  const { app, asked } = await testApp(options);
  const texts = { out: '', err: '' };
  const collecting = (stream: 'out' | 'err') => ({ ...app[stream], write: async (text: string) => { texts[stream] += text; } });
  let error: unknown = null;
  await work({ ...app, out: collecting('out'), err: collecting('err') }).catch((reason: unknown) => { error = reason; });
  return { ...texts, asked, error };
};

const words = 'word '.repeat(20).trim();

describe('a message', () => {
  it('is one line on stderr, without characters that act on a terminal', async () => {
    expect((await written({}, (app) => say(app, {}, 'left \x1b[2Jnote\u202e 5'))).err).toBe('left \\u001b[2Jnote\\u202e 5\n');
  });

  it('is silent with --quiet', async () => {
    expect(await written({ terminal: true }, (app) => say(app, { quiet: true }, 'left note 5'))).toMatchObject({ out: '', err: '' });
  });

  it('is wrapped between words on a terminal, and stays as it is in a pipe', async () => {
    const { err } = await written({ terminal: true, columns: 30 }, (app) => say(app, {}, words));
    expect(err.split('\n').length).toBeGreaterThan(3);
    for (const line of err.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(30);
    expect(err.replace(/\s+/g, ' ').trim()).toBe(words);
    expect((await written({ columns: 30 }, (app) => say(app, {}, words))).err).toBe(`${words}\n`);
  });

  it('is wrapped by the width of its characters', async () => {
    const { app } = await testApp({ terminal: true, columns: 40 });
    const text = await wrappedText(app.err, '漢字 '.repeat(20).trim());
    for (const line of text.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(40);
    expect(await wrappedText(app.err, 'short')).toBe('short');
  });
});

describe('help', () => {
  it('is printed on stdout, wrapped on a narrow terminal', async () => {
    const { out } = await written({ terminal: true, columns: 30 }, (app) => showHelp(app, {}, `${words}\n`));
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(30);
    expect((await written({ columns: 30 }, (app) => showHelp(app, {}, `${words}\n`))).out).toBe(`${words}\n`);
  });
});

describe('a prompt', () => {
  it.each<[WorldOptions, GlobalFlags, boolean]>([
    [{ terminal: true }, {}, true], [{ terminal: true }, { input: true }, true], [{ terminal: true }, { input: false }, false], [{}, {}, false],
  ])('is possible at a terminal, unless --no-input is given: %j %j', async (options, flags, possible) => {
    expect(canAsk((await testApp(options)).app, flags)).toBe(possible);
  });

  it('needs stdin as well as stderr', async () => {
    const { app } = await testApp({ terminal: true });
    expect(canAsk({ ...app, stdin: { ...app.stdin, isTerminal: false } }, {})).toBe(false);
    expect(canAsk({ ...app, err: { ...app.err, isTerminal: false } }, {})).toBe(false);
    expect(canAsk({ ...app, out: { ...app.out, isTerminal: false } }, {})).toBe(true);
  });
});

describe('a confirmation', () => {
  const action = 'delete note 5 of mr/1';

  it('asks in a sentence, and lets the command continue after a yes', async () => {
    const { asked, error } = await written({ terminal: true, answers: [true] }, (app) => consent(app, {}, action));
    expect({ asked, error }).toEqual({ asked: ['Delete note 5 of mr/1?'], error: null });
  });

  it('cancels the command after a no', async () => {
    const { error } = await written({ terminal: true, answers: [false] }, (app) => consent(app, {}, action));
    expect(error).toMatchObject({ name: 'Problem', code: 'cancelled', message: 'cancelled' });
  });

  it('shows untrusted text on one line', async () => {
    const { asked } = await written({ terminal: true, answers: [true] }, (app) => consent(app, {}, 'delete "a\n\x1b[2Jb"'));
    expect(asked).toEqual(['Delete "a \\u001b[2Jb"?']);
  });

  it.each<[string, WorldOptions, GlobalFlags]>([['in a pipe', {}, {}], ['with --no-input', { terminal: true }, { input: false }]])(
    'is refused %s, with the flag that gives it', async (_, options, flags) => {
      const { asked, error } = await written(options, (app) => consent(app, flags, action));
      expect(asked).toEqual([]);
      expect(error).toBeInstanceOf(Problem);
      expect(error).toMatchObject({ code: 'usage', message: `refusing to ${action} without confirmation`, hint: 'pass --yes to confirm' });
    });

  it('is given by --yes, without a word', async () => {
    expect(await written({}, (app) => consent(app, { yes: true }, action))).toEqual({ out: '', err: '', asked: [], error: null });
  });

  it('is not needed for a dry run, which says what would be done', async () => {
    expect(await written({}, (app) => consent(app, { dryRun: true }, action)))
      .toEqual({ out: '', err: `would ${action}\n`, asked: [], error: null });
    expect((await written({}, (app) => sayIfDryRun(app, {}, action))).err).toBe('');
  });
});

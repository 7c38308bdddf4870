import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { colorsOf, linked, painter, safeAddress, showsLinks, type Tone } from '../../../../src/cli/terminal/io/style.js';
import { ranIn } from '../../../support/app.js';

describe('hyperlinks', () => {
  it.each([
    [{ TERM_PROGRAM: 'WezTerm' }, true], [{ TERM_PROGRAM: 'iTerm.app' }, true], [{ VTE_VERSION: '6800' }, true], [{ WT_SESSION: 'x' }, true],
    [{ TERM: 'xterm-kitty' }, true], [{ TERM: 'alacritty' }, true], [{ KONSOLE_VERSION: '230800' }, true],
    [{}, false], [{ TERM: 'xterm-256color' }, false], [{ VTE_VERSION: '4803' }, false], [{ TERM_PROGRAM: 'Apple_Terminal' }, false],
    [{ TERM_PROGRAM: 'WezTerm', TMUX: '/tmp/x' }, false], [{ VTE_VERSION: '6800', CI: 'true' }, false], [{ VTE_VERSION: '6800', TERM: 'dumb' }, false],
    [{ FORCE_HYPERLINK: '1' }, true], [{ FORCE_HYPERLINK: '0', VTE_VERSION: '6800' }, false], [{ FORCE_HYPERLINK: '', VTE_VERSION: '6800' }, true],
  ])('with %j: %s on a terminal, never in a pipe', (env, shown) => {
    expect(showsLinks(env, { isTerminal: true })).toBe(shown);
    expect(showsLinks(env, { isTerminal: false })).toBe(false);
  });

  it('have no width of their own', () => expect(stringWidth(linked('word', 'https://a.example/'))).toBe(4));

  it('accept only web and mail addresses', () => {
    expect(safeAddress('https://a.example/x y')).toBe('https://a.example/x%20y');
    expect(safeAddress('mailto:ada@a.example')).toBe('mailto:ada@a.example');
    for (const other of ['javascript:alert(1)', 'file:///etc/passwd', '/x', 'https://', 'ssh://x', '']) expect(safeAddress(other)).toBeNull();
  });

  it('never contain control characters', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(safeAddress(`https://a.example/${text}`) ?? '').toMatch(/^[\x21-\x7e]*$/);
    }));
  });

  const links = { env: { FORCE_HYPERLINK: '1' } };

  it('appear in tables on a terminal', async () => {
    const { out } = await ranIn({ ...links, terminal: true }, 'discussions', 'list', '!1', '-L', '1');
    expect(out).toContain('\x1b]8;;http://service.test/acme/app/-/merge_requests/1#note_120\x1b\\33333333\x1b]8;;\x1b\\');
    expect(out).toContain('\x1b]8;;http://service.test/guest\x1b\\guest\x1b]8;;\x1b\\');
    expect((await ranIn({ ...links, terminal: true }, 'notes', 'list', '#1', '-L', '1')).out).toContain('/acme/app/-/issues/1#note_100\x1b\\100');
    expect((await ranIn({ ...links, terminal: true }, 'discussions', 'list', '!1', '-p', '20')).out).not.toContain('merge_requests');
    expect((await ranIn(links, 'discussions', 'list', '!1')).out).not.toContain('\x1b');
  });

  it('appear in conversations on a terminal', async () => {
    const { out } = await ranIn({ ...links, terminal: true }, 'discussions', 'get', '!1', '3333');
    expect(out).toContain('\x1b]8;;http://service.test/acme/app/-/merge_requests/1#note_120\x1b\\thread 3333');
    expect(out).toContain('\x1b]8;;http://service.test/guest\x1b\\Gus Guest\x1b]8;;\x1b\\ (@guest)');
  });
});

describe('the number of colors', () => {
  it('an empty NO_COLOR keeps colors, and any other value disables them', () => {
    expect(colorsOf({ NO_COLOR: '' }, true, 8)).toBe(2);
    for (const value of ['1', '0', 'false']) expect(colorsOf({ NO_COLOR: value }, true, 8)).toBe(0);
  });

  it.each([
    [{}, true, 24, 3], [{}, true, 8, 2], [{}, true, 4, 1], [{}, true, 1, 0], [{}, false, 24, 0],
    [{ NO_COLOR: '1' }, true, 24, 0], [{ NO_COLOR: '' }, true, 24, 3], [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, 24, 0],
    [{ TERM: 'dumb' }, true, 24, 0], [{ CLICOLOR: '0' }, true, 24, 0], [{ CLICOLOR: '1' }, true, 24, 3],
    [{ CLICOLOR_FORCE: '1' }, false, 1, 1], [{ CLICOLOR_FORCE: '0' }, false, 24, 0], [{ CLICOLOR_FORCE: '1', NO_COLOR: '1' }, false, 24, 0],
    [{ FORCE_COLOR: '' }, false, 1, 1], [{ FORCE_COLOR: '0' }, true, 24, 0], [{ FORCE_COLOR: '3' }, false, 1, 3], [{ FORCE_COLOR: 'true' }, false, 1, 1],
  ] as const)('%j on a terminal (%s) of %i bits gives level %i', (env, isTerminal, depth, level) => {
    expect(colorsOf(env, isTerminal, depth)).toBe(level);
  });
});

const tones: readonly Tone[] = ['strong', 'faint', 'emphasis', 'struck', 'link', 'code', 'open', 'done', 'added', 'removed'];

describe('a tone', () => {
  it.each([1, 2, 3] as const)('uses no black, white, yellow or bright color and no background with %i levels of color', async (level) => {
    const paint = await painter(level);
    for (const tone of tones) {
      const codes = [...paint(tone, 'x').matchAll(/\x1b\[(\d+)m/g)].map((match) => Number(match[1]));
      expect(codes).toHaveLength(2);
      expect([1, 2, 3, 4, 9, 31, 32, 35, 36]).toContain(codes[0]);
    }
  });

  it('leaves a text unchanged without colors and without a tone', async () => {
    const plain = await painter(0);
    expect(tones.map((tone) => plain(tone, 'x')).join('')).toBe('x'.repeat(tones.length));
    expect((await painter(1))(null, 'x')).toBe('x');
    expect((await painter(1))('strong', '')).toBe('');
  });
});

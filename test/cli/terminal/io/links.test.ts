import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { linked, safeAddress, showsLinks } from '../../../../src/cli/terminal/io/style.js';
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

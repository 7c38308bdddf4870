import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectTail } from '../../../../src/cli/notes/command-report.js';
import { createMask } from '../../../../src/wire/secrets/known.js';

const maskFor = (...secrets: string[]) => createMask(secrets, { shortest: 8, mark: '[masked]' });

const tailOf = (text: string, { most = 100, secrets = [] as string[] } = {}) => {
  const { add, end } = collectTail(most, maskFor(...secrets));
  add('out', Buffer.from(text));
  return end();
};

describe('the tail of an output', () => {
  it('has the last lines and counts all', () => {
    expect(tailOf('one\ntwo\nthree', { most: 2 })).toEqual({ lines: ['two', 'three'], total: 3 });
    expect(tailOf('one\n', { most: 0 })).toEqual({ lines: [], total: 1 });
    expect(tailOf('')).toEqual({ lines: [], total: 0 });
  });

  it('keeps the lines of both streams whole', () => {
    const { add, end } = collectTail(10, maskFor());
    for (const [stream, text] of [['out', 'a'], ['err', 'x'], ['out', 'b\n'], ['err', 'y\nz']] as const) add(stream, Buffer.from(text));
    expect(end().lines).toEqual(['ab', 'xy', 'z']);
  });

  it.each([
    ['colors', '\u001b[1;31mred\u001b[0m text', 'red text'],
    ['a link', '\u001b]8;;https://example.com\u001b\\here\u001b]8;;\u0007', 'here'],
    ['control characters and direction marks', 'a\u0007\u0000b\u202ec\td', 'abc\td'],
    ['a carriage return before the line break', 'done\r\n', 'done'],
    ['a progress bar', '10 %\r50 %\r100 %', '100 %'],
    ['a progress bar of escapes', '10 %\u001b[2K\u001b[1G50 %\u001b[2K\u001b[1Gdone', 'done'],
  ])('has %s as plain text', (_, text, line) => {
    expect(tailOf(text).lines).toEqual([line]);
  });

  it('cuts very long lines, and keeps the last state of an endless progress bar', () => {
    expect(tailOf('x'.repeat(200_000)).lines).toEqual([`${'x'.repeat(2_000)}…`]);
    expect(tailOf(`${'5 % done\r'.repeat(20_000)}100 %\n`).lines).toEqual(['100 %']);
  });

  it('masks secrets however the output is cut into chunks, even with colors inside', () => {
    const secret = 'sécret-value-1';
    const line = fc.string().map((text) => text.replaceAll(/[\r\n]/g, ''));
    fc.assert(fc.property(line, line, fc.nat({ max: 30 }), fc.array(fc.integer({ min: 1, max: 9 })), (before, after, color, sizes) => {
      const at = color % secret.length;
      const colored = `${secret.slice(0, at)}\u001b[31m${secret.slice(at)}`;
      const bytes = Buffer.from(`${before} ${colored} ${secret}${after}\n`);
      const { add, end } = collectTail(10, maskFor(secret));
      let from = 0;
      for (const size of [...sizes, bytes.length]) add('out', bytes.subarray(from, from += size));
      expect(end().lines.join('\n')).not.toContain(secret);
    }));
  });

  it('shows no part of a secret where a long line is cut', () => {
    const secret = `start${'x'.repeat(70_000)}`;
    expect(tailOf(`a ${secret}${secret}${secret}\nb`, { secrets: [secret] }).lines).toEqual([expect.not.stringContaining('start'), 'b']);
  });

  describe('masks base64 of several lines', () => {
    const secret = `secret-${'value/'.repeat(20)}`;
    const lines = Buffer.from(secret).toString('base64').match(/.{1,76}/g)!;

    it('also if it begins before the tail', () => {
      for (let most = 0; most <= lines.length + 1; most++) {
        const shown = ['a', ...lines.map(() => '[masked]'), 'b'].slice(lines.length + 2 - most);
        expect(tailOf(['a', ...lines, 'b'].join('\n'), { most, secrets: [secret] })).toEqual({ lines: shown, total: lines.length + 2 });
      }
    });

    it('also with lines of the other stream between', () => {
      const { add, end } = collectTail(10, maskFor(secret));
      for (const line of lines) {
        add('out', Buffer.from(`${line}\n`));
        add('err', Buffer.from('+ base64\n'));
      }
      expect(end().lines).toEqual(lines.flatMap(() => ['[masked]', '+ base64']));
    });
  });

  it('masks secrets in base64 however the output is cut into chunks', () => {
    const encoded = Buffer.from('user:secret-value-1').toString('base64');
    fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 9 })), (sizes) => {
      const bytes = Buffer.from(`Authorization: Basic ${encoded}\n`);
      const { add, end } = collectTail(10, maskFor('secret-value-1'));
      let from = 0;
      for (const size of [...sizes, bytes.length]) add('out', bytes.subarray(from, from += size));
      expect(end().lines).toEqual([expect.stringMatching(/^Authorization: Basic dXNlcjp?\[masked\]$/)]);
    }));
  });
});

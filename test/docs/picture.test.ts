import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './blocks.js';

interface Run { readonly text: string; readonly color: string | null; readonly bold: boolean; readonly dim: boolean }
interface Styled { readonly styledLines: (output: string) => Run[][] }
interface Svg { readonly svgOf: (lines: readonly (readonly Run[])[], size: { columns: number; title: string }) => string }

const { styledLines } = await import(join(root, 'scripts/picture/styled.mjs')) as Styled;
const { svgOf } = await import(join(root, 'scripts/picture/svg.mjs')) as Svg;

const plain = { color: null, bold: false, dim: false };

describe('the picture of a terminal session', () => {
  it('keeps colors and weights until they are switched off, across lines', () => {
    expect(styledLines('\x1b[1mTHREAD\x1b[22m \x1b[35mopen\r\nstill\x1b[39m\r\n')).toEqual([
      [{ ...plain, text: 'THREAD', bold: true }, { ...plain, text: ' ' }, { ...plain, text: 'open', color: 'magenta' }],
      [{ ...plain, text: 'still', color: 'magenta' }],
    ]);
  });

  it('leaves out progress that was erased', () => {
    expect(styledLines('reading …\r\x1b[Kdone\r\n')).toEqual([[{ ...plain, text: 'done' }]]);
  });

  it.each(['\x1b[48m', 'a\x07', '\x1b[2J'])('is not drawn from %j, which it cannot show', (output) => {
    expect(() => styledLines(output)).toThrow('no picture of');
  });

  it('shows markup in the output as text', () => {
    const svg = svgOf([[{ ...plain, text: '<b>&' }]], { columns: 20, title: 'a & b' });
    expect(svg).toContain('>&lt;b&gt;&amp;</tspan>');
    expect(svg).toContain('<title>a &amp; b</title>');
  });

  it('places words by their columns, so that they stay aligned in every font', () => {
    const svg = svgOf([[{ ...plain, text: 'AB    CD' }]], { columns: 20, title: '' });
    const [first, second] = [...svg.matchAll(/<tspan x="([\d.]+)"/g)].map((match) => Number(match[1]));
    expect(second! - first!).toBeCloseTo(6 * 8.4, 0);
  });
});

import { expect, test } from 'vitest';
import { isSvg } from '../../src/text/images.js';

const svg = (text: string) => isSvg(Buffer.from(text));

test('the first element decides whether a file is SVG, whatever precedes it', () => {
  expect(svg('<svg/>')).toBe(true);
  expect(svg('\uFEFF<svg xmlns="http://www.w3.org/2000/svg">')).toBe(true);
  expect(svg('<?xml version="1.0"?>\n<!-- <html> -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x">\n<svg>')).toBe(true);
  expect(svg('<!DOCTYPE svg [ <!ENTITY a "b"> ]><!-- c --><svg:svg xmlns:svg="http://www.w3.org/2000/svg">')).toBe(true);
});

test('other text is none', () => {
  for (const text of ['', 'svg', '<svgx>', '<html><svg></svg></html>', '<!-- <svg> -->', '<!-- <svg>', '<?xml?>', 'text <svg>']) {
    expect([text, svg(text)]).toEqual([text, false]);
  }
});

test('a file with an endless prologue is rejected quickly', () => {
  expect(svg('<!--'.repeat(100_000))).toBe(false);
  expect(svg('<!doctype a['.repeat(100_000))).toBe(false);
  expect(svg(`${' '.repeat(100_000)}<svg>`)).toBe(false);
});

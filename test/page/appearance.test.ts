import { expect, it } from 'vitest';
import { colorSheet } from '../../src/page/appearance.js';
import { liveState } from '../support/preview.js';

const sheetFor = (background: unknown, font: unknown) => colorSheet(new Map([['before', {
  ...liveState, fields: { ...liveState.fields, message_background_color: background as string, message_font_color: font as string },
}]]));

it.each(['#fff', '#FFFFFF', '#ffff', '#ffffff80', 'teal'])('the bars and a swatch have the color %s', (color) => {
  expect(sheetFor(color, '')).toBe(`.before .bar { background-color: ${color}; }\n.swatch.before.message_background_color { background-color: ${color}; }\n`);
});

it.each(['', 'red; } body { display: none', 'url(x)', 'var(--x)', '#ff', '#fffff', 'red\\', 'red/**/', '}', null, 7, ['red', 'blue']])(
  'the bars have no color for %j, and there is no swatch', (value) => {
    expect(sheetFor(value, value)).toBe('.before .bar { }\n');
  });

/** Sizes in pixels. */
const size = { width: 840, label: 360, bar: 18, row: 26, heading: 30, top: 40, end: 150 };

const style = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600; font-size: 15px }
  .case { font-weight: 600 }
  .own { fill: #1f6f8b }
  .other { fill: #afb8c1 }
  .mark { stroke: #1f2328; stroke-dasharray: 3 3 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .own { fill: #4fb3d1 }
    .other { fill: #6e7681 }
    .mark { stroke: #e6edf3 }
  }`;

const escaped = (text) => text.replaceAll('`', '').replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const text = (x, y, content, attributes = '') => `<text x="${x}" y="${y}"${attributes}>${escaped(content)}</text>`;

/**
 * A horizontal bar chart as SVG, for light and dark mode.
 * @param bars `name`, `length`, the label `words`, and `own` for Colloquy's; bars of the same `case` share a heading
 * @param scale the unit of the lengths, and the length of the reference line
 */
export const barChart = (title, bars, { unit, mark = 0 } = {}) => {
  const perPixel = (size.width - size.label - size.end) / Math.max(...bars.map(({ length }) => length));
  const at = size.label + mark * perPixel;
  const top = size.top + (unit === undefined ? 0 : 22);
  const parts = [];
  let y = top;
  bars.forEach((bar, i) => {
    if (bar.case !== undefined && bar.case !== bars[i - 1]?.case) {
      parts.push(text(0, y + 18, bar.case, ' class="case"'));
      y += size.heading;
    }
    const width = Math.max(bar.length * perPixel, 1);
    const fill = bar.own ? 'own' : 'other';
    parts.push(
      text(size.label - 10, y + 14, bar.name, ' text-anchor="end"'),
      `<rect x="${size.label}" y="${y}" width="${width.toFixed(1)}" height="${size.bar}" class="${fill}"/>`,
      text((Math.max(size.label + width, at) + 6).toFixed(1), y + 14, bar.words),
    );
    y += size.row;
  });
  const x = at.toFixed(1);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${y}" role="img" aria-labelledby="title">`,
    `<title id="title">${escaped(title)}</title>`, `<style>${style}\n</style>`,
    text(0, 18, title, ' class="title"'), ...unit === undefined ? [] : [text(0, 40, unit)], ...parts,
    ...mark > 0 ? [`<line x1="${x}" y1="${top - 6}" x2="${x}" y2="${y}" class="mark"/>`] : [], '</svg>', '',
  ].join('\n');
};

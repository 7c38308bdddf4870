/** Draws lines of styled text as a terminal window in SVG. */
import stringWidth from 'string-width';

const cell = { width: 8.4, height: 19 };
const margin = { left: 16, top: 50, bottom: 14 };
const palette = {
  black: '#6e7681', red: '#ff7b72', green: '#56d364', yellow: '#e3b341',
  blue: '#79c0ff', magenta: '#d2a8ff', cyan: '#76e3ea', white: '#f0f6fc',
  plain: '#d1d7e0', dim: '#9198a1', ground: '#161b22', bar: '#21262d',
};

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const rounded = (length) => Math.round(length * 10) / 10;

const fillOf = ({ color, dim }) => palette[color ?? (dim ? 'dim' : 'plain')];

/** Each word has its own place, so that columns stay aligned in every font. */
const words = (runs) => {
  let column = 0;
  return runs.flatMap((run) => run.text.split(/( {2,})/).flatMap((text) => {
    const start = column;
    column += stringWidth(text);
    return text.trim() === '' ? [] : [{ ...run, text, start }];
  }));
};

const drawnLine = (runs, index) => {
  const y = margin.top + index * cell.height;
  const spans = words(runs).map(({ text, start, bold, ...style }) => {
    const x = rounded(margin.left + (start + text.length - text.trimStart().length) * cell.width);
    const length = rounded(stringWidth(text.trim()) * cell.width);
    const weight = bold ? ' font-weight="bold"' : '';
    return `<tspan x="${x}" textLength="${length}" fill="${fillOf(style)}"${weight}>${escaped(text.trim())}</tspan>`;
  });
  return spans.length === 0 ? [] : [`<text y="${y}">${spans.join('')}</text>`];
};

/** An SVG of the lines, with a text for readers who cannot see it. */
export const svgOf = (lines, { columns, title }) => {
  const width = Math.ceil(columns * cell.width + 2 * margin.left);
  const height = margin.top + lines.length * cell.height + margin.bottom - 8;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${palette.ground}"/>`,
    `<path d="M0 28V8a8 8 0 0 1 8-8h${width - 16}a8 8 0 0 1 8 8v20z" fill="${palette.bar}"/>`,
    ...['red', 'yellow', 'green'].map((color, index) =>
      `<circle cx="${18 + index * 18}" cy="14" r="5.5" fill="${palette[color]}"/>`),
    '<g font-family="ui-monospace, Menlo, Consolas, \'Liberation Mono\', monospace" font-size="14">',
    ...lines.flatMap(drawnLine),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
};

/** The line on which a command is typed. */
export const promptLine = (command) => [
  { text: '$ ', color: 'green', bold: true, dim: false },
  { text: command, color: 'white', bold: false, dim: false },
];

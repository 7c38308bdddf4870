/** Reads what a program writes to a terminal: lines of runs, each with its text and its style. */

const plain = { color: null, bold: false, dim: false };
const colors = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

const withCode = (style, code) => {
  if (code === 0) return plain;
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 39) return { ...style, color: null };
  const color = colors[code >= 90 ? code - 90 : code - 30];
  if (color === undefined) throw new Error(`no picture of the SGR code ${code}`);
  return { ...style, color };
};

/** @throws Error on control characters that the picture cannot show. */
export const styledLines = (output) => {
  let style = plain;
  return output.replaceAll('\r\n', '\n').trimEnd().split('\n').map((line) => {
    const runs = [];
    for (const [, codes, text] of afterErasing(line).matchAll(/\x1b\[([\d;]*)m|([^\x1b]+|\x1b)/g)) {
      if (text === undefined) style = codes.split(';').reduce((before, code) => withCode(before, Number(code)), style);
      else if (/[\x00-\x1f\x7f]/.test(text)) throw new Error(`no picture of ${JSON.stringify(text)}`);
      else runs.push({ text, ...style });
    }
    return runs;
  });
};

/** Progress lines are erased before the result is printed. */
const afterErasing = (line) => line.replace(/^.*\r\x1b\[K/s, '');

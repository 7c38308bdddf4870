import { barChart } from './chart.mjs';

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const withUnit = ({ value, unit }) => value === undefined ? '' : `${numbers.format(value)} ${unit}`;
const ratioOf = ({ ratio }) => ratio === undefined ? '' : ratio.toFixed(2);

/** The charts of the figures, by file name. */
export const charts = ({ groups }) => Object.fromEntries(groups.filter(({ chart }) => chart).map((group) =>
  [`${group.id}.svg`, group.chart === 'ratio' ? chartOfRatios(group) : chartOfValues(group)]));

const chartOfValues = ({ title, figures }) => barChart(title, figures.filter(({ value }) => value !== undefined)
  .map((figure) => ({ ...figure, length: figure.value, words: withUnit(figure) })));

const chartOfRatios = ({ title, figures, ratio }) => barChart(title, figures.map((figure) =>
  ({ ...figure, length: figure.ratio, words: ratioOf(figure) })), { unit: ratio, mark: 1 });

/** The table or the sentence, the chart and the measuring conditions of each group, by id. */
export const performanceParts = ({ machine, groups }) =>
  Object.fromEntries(groups.map((group) => [group.id, partOf(group, machine)]));

const partOf = (group, machine) => {
  const { id, title, command, date, rounds, busy, note, text, chart } = group;
  const repeats = rounds ? [rounds === 1 ? '1 round' : `${rounds} rounds`] : [];
  const how = [machine, ...repeats, ...busy ? ['other work on the machine'] : [], date];
  const picture = chart ? [`![${title.replaceAll('`', '')}](charts/${id}.svg)`] : [];
  if (text !== undefined) return [`- ${sentence(group)} (\`${command}\`, ${date})`, ...picture].join('\n\n');
  return [
    ...chart ? picture : [`**${title}**`], tableOf(group), ...note ? [note] : [], `\`${command}\` · ${how.join(' · ')}`,
  ].join('\n\n');
};

/** The text of a group with its figures: `{0.value}`, `{0.ratio}` of the first, `{min}` and `{max}` of the ratios. */
const sentence = ({ text, figures }) => {
  const ratios = figures.flatMap(({ ratio }) => ratio ?? []);
  return text.replace(/\{(?:(\d+)\.(value|ratio)|(min|max))\}/g, (_, index, kind, end) => {
    if (end !== undefined) return Math[end](...ratios).toFixed(2);
    return kind === 'value' ? withUnit(figures[index]) : ratioOf(figures[index]);
  });
};

const line = (cells) => `| ${cells.join(' | ')} |`;

/** A table of figures without empty columns. */
const tableOf = ({ figures }) => {
  const columns = [
    ['Case', (figure, i) => figure.case === figures[i - 1]?.case ? '' : figure.case ?? '', 'case', '---'],
    ['', ({ name }) => name, 'name', '---'],
    ['Median', withUnit, 'value', '---:'],
    ['Ratio', ratioOf, 'ratio', '---:'],
  ].filter(([, , key]) => figures.some((figure) => figure[key] !== undefined));
  const head = columns.map(([name]) => name === 'Median' && !figures.some(({ ratio }) => ratio) ? 'Value' : name);
  return [head, columns.map(([, , , rule]) => rule),
    ...figures.map((figure, i) => columns.map(([, cell]) => cell(figure, i)))].map(line).join('\n');
};

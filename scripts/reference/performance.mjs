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

/** The chart, table and measuring conditions of each group, by id. */
export const performanceParts = ({ machine, groups }) =>
  Object.fromEntries(groups.map((group) => [group.id, partOf(group, machine)]));

const partOf = (group, machine) => {
  const { id, title, command, date, rounds, busy, note, ratio, chart } = group;
  const repeats = rounds ? [rounds === 1 ? '1 round' : `${rounds} rounds`] : [];
  const how = [machine, ...repeats, ...busy ? ['other work on the machine'] : [], date];
  return [
    chart ? `![${title.replaceAll('`', '')}](charts/${id}.svg)` : `**${title}**`,
    tableOf(group),
    ...ratio ? [`Ratio: ${ratio}.`] : [],
    ...note ? [note] : [],
    `\`${command}\` · ${how.join(' · ')}`,
  ].join('\n\n');
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

import { readFileSync } from 'node:fs';

/** A table for each area: the sentence, its source, where it holds, and its id, which links to the line. */
export const behaviorTables = (behavior) => Object.fromEntries(
  [...new Set(behavior.map(({ area }) => area))].map((area) =>
    [area, tableOf(behavior.filter((fact) => fact.area === area))]));

/** Links to the headings of the areas. */
export const contentsOf = (file) => {
  const names = [...readFileSync(file, 'utf8').matchAll(/^### (.+)$/gm)].map(([, name]) => name.toLowerCase());
  return wrapped(names.map((name) => `[${name}](#${name.replaceAll(' ', '-')})`), ' ·');
};

/** As many on a line as fit into 125 characters. */
const wrapped = (parts, between) => parts.reduce((lines, part, i) => {
  const text = i === parts.length - 1 ? part : part + between;
  const last = lines.at(-1);
  if (last !== undefined && `${last} ${text}`.length <= 125) return [...lines.slice(0, -1), `${last} ${text}`];
  return [...lines, text];
}, []).join('\n');

const tableOf = (facts) => [
  '| The service | Source | Where |', '|---|---|---|', ...facts.map(rowOf),
].join('\n');

const rowOf = (fact) => `| <a id="${fact.id}"></a>${cell(fact.text)} | ${fact.source} | ${whereOf(fact)} |`;

const cell = (text) => text.replaceAll('|', '\\|');

const whereOf = ({ dialects, from, to, tier }) => [
  ...dialects.length === 1 ? [`\`${dialects[0]}\``] : [],
  ...from === null ? [] : [`from ${from}`],
  ...to === null ? [] : [`before ${to}`],
  ...tier === null ? [] : [tier],
].join(', ');

/** A table for each area: the sentence, its source, where it holds, and its id, which links to the line. */
export const behaviorTables = (behavior) => Object.fromEntries(
  [...new Set(behavior.map(({ area }) => area))].map((area) =>
    [area, tableOf(behavior.filter((fact) => fact.area === area))]));

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

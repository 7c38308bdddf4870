import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadReports, type LoadOptions } from '../../src/cli/notes/findings/load.js';
import type { Finding } from '../../src/cli/notes/findings/finding.js';
import { testApp } from './app.js';
import { readReports, type Format, type ReadOptions, type Source } from '../../src/cli/notes/findings/read.js';

/** A report that a real tool wrote. */
export const reportFixture = (name: string): Source =>
  ({ name, text: readFileSync(join(import.meta.dirname, '../fixtures/reports', name), 'utf8') });

/** Reads such a report. */
export const readFixture = (format: Format, name: string): ReturnType<typeof readReports> =>
  readReports([reportFixture(name)], { format, allowEmpty: false });

/** Reads a report with the name `report`. */
export const readText = (format: Format, text: string, options: Partial<ReadOptions> = {}): ReturnType<typeof readReports> =>
  readReports([{ name: 'report', text }], { format, allowEmpty: false, ...options });

/** The parts of a finding that most tools know. */
export const brief = ({ file, line, column, level, rule }: Finding): string => `${file}:${line}:${column} ${level} ${rule}`;

export const briefs = async (format: Format, name: string): Promise<string[]> => (await readFixture(format, name)).findings.map(brief);

/** The findings of the reports that ESLint wrote. */
export const eslintFindings = (file: string): string[] =>
  [`${file}:2:3 error no-var`, `${file}:3:16 warning eqeqeq`, `${file}:4:5 error no-undef`];

/** Where the findings of a report are in a work tree with these files, and what stderr says. */
export const placesInTree = async (
  format: Format, report: string, tree: readonly string[] | Readonly<Record<string, string>>, options: Partial<LoadOptions> = {},
): Promise<{ readonly places: readonly string[]; readonly said: string; readonly findings: readonly Finding[] }> => {
  const texts = Array.isArray(tree) ? Object.fromEntries(tree.map((path: string) => [path, 'a\n'])) : tree as Readonly<Record<string, string>>;
  const files = Object.fromEntries(Object.entries(texts).map(([path, text]) => [`/repo/app/${path}`, text]));
  const { app } = await testApp({ files: { ...files, report }, workTree: '/repo/app' });
  const said: string[] = [];
  const err = { ...app.err, write: async (text: string) => { said.push(text); } };
  const { findings } = await loadReports({ ...app, err }, { files: ['report'], format, key: 'k', ...options });
  return {
    places: findings.map(({ finding: { file, line, column } }) => [file, line, column].filter((part) => part !== null).join(':')),
    said: said.join(''), findings: findings.map(({ finding }) => finding),
  };
};

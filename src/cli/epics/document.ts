import { usage } from '../command-line/failure.js';
import { hasRows, isRows, readOutline, readRows } from './document-lines.js';
import { documentLimits, type DocumentNode, type DocumentProblems, problemsIn } from './document-nodes.js';

export const documentFormats = ['yaml', 'outline', 'csv'] as const;
export type DocumentFormat = (typeof documentFormats)[number];

const firstLine = (text: string): string => /^[ \t]*[^#\s].*$/m.exec(text)?.[0] ?? '';

/** A list in brackets, which is neither a checkbox nor a link, an object, a mark of YAML, or a text in quotes. */
const yamlStart = /^[ \t]*(\{|\[(?![^\]\n]*\][ \t]*[^\s,\]}])|---([ \t]|$)|%YAML|-[ \t]+(["']).*\3[ \t]*$)/;

const yamlKey = /^[ \t]*(?:-[ \t]+)*(["']?)(?:ref|title|children)\1:(?:[ \t]|\r?$)/m;

/** The lines of `-o ndjson`, which are not YAML. */
const severalObjects = /^\{.*\}[ \t]*\r?\n\{/m;

/** By the name of the file, else by a header or rows of `epics tree`, else by brackets, quotes and keys. */
const formatOfDocument = (text: string, file: string): DocumentFormat => {
  if (/\.(ya?ml|json)$/i.test(file)) return 'yaml';
  if (severalObjects.test(text)) return 'outline';
  if (/\.(csv|tsv)$/i.test(file) || isRows(text)) return 'csv';
  return yamlStart.test(firstLine(text)) || yamlKey.test(text) ? 'yaml' : 'outline';
};

export interface EpicDocument {
  readonly file: string;
  readonly nodes: readonly DocumentNode[];
  readonly problems: DocumentProblems;
}

/** By `given`, else as `formatOfDocument` says. @throws Problem that names all problems with file, line and column */
export const readEpicDocument = async (text: string, file: string, given?: DocumentFormat): Promise<EpicDocument> => {
  if (text.length > documentLimits.characters) {
    throw usage(`${file} is too large`, `use a file with at most ${documentLimits.characters} characters`);
  }
  const problems = problemsIn(file);
  const content = text.replace(/^\uFEFF/, '');
  const format = given === 'outline' && hasRows(content) ? 'csv' : given ?? formatOfDocument(content, file);
  const readLines = format === 'csv' ? readRows : readOutline;
  const read = format === 'yaml' ? (await import('./document-yaml.js')).readYaml : readLines;
  const nodes = read(content, problems);
  problems.check();
  return { file, nodes, problems };
};

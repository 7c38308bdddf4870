import { usage } from '../command-line/failure.js';
import { documentLimits, problemsIn, type DocumentNode, type DocumentProblems } from './document-nodes.js';
import { formatOfDocument, type DocumentFormat } from './formats.js';
import { hasRows } from './rows.js';

/** The children of an epic; or that epic alone with its children. */
export interface EpicDocument {
  readonly file: string;
  readonly nodes: readonly DocumentNode[];
  /** For what the epics of the service show about it. */
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
  const read = await readerOf(format);
  const nodes = read(content, problems);
  problems.check();
  return { file, nodes, problems };
};

const readerOf = async (format: DocumentFormat) => {
  if (format === 'yaml') return (await import('./document-yaml.js')).readYaml;
  if (format === 'csv') return (await import('./rows.js')).readRows;
  return (await import('./outline.js')).readOutline;
};

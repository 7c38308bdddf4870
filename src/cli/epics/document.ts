import { usage } from '../command-line/errors/failure.js';
import { documentLimits, type DocumentNode, type ErrorAt } from './document-nodes.js';
import { formatOfText, type DocumentFormat } from './formats.js';

/** The children of an epic; or that epic alone with its children. */
export interface EpicDocument {
  readonly file: string;
  readonly nodes: readonly DocumentNode[];
}

/** By `given`, else .yaml, .yml or .json in the name, else the text. @throws Problem with file, line and column */
export const readEpicDocument = async (text: string, file: string, given?: DocumentFormat): Promise<EpicDocument> => {
  const errorAt: ErrorAt = (line, column, reason, hint) => usage(`${file}:${line}:${column}: ${reason}`, hint);
  if (text.length > documentLimits.characters) {
    throw usage(`${file} is too large`, `use a file with at most ${documentLimits.characters} characters`);
  }
  const content = text.replace(/^\uFEFF/, '');
  const format = given ?? (/\.(ya?ml|json)$/i.test(file) ? 'yaml' : formatOfText(content));
  const read = format === 'yaml' ? (await import('./document-yaml.js')).readYaml
    : (await import('./outline.js')).readOutline;
  return { file, nodes: read(content, errorAt) };
};

import { usage, type Problem } from '../../command-line/errors/failure.js';
import { plainLine } from '../../../text/plain.js';
import { ReportError, type Finding, type Report } from './finding.js';

/** Loaded when it is used. */
type Reader = (source: string) => Report;

const readers = {
  sarif: async (): Promise<Reader> => (await import('./readers/sarif.js')).readSarif,
  codequality: async (): Promise<Reader> => (await import('./readers/code-quality.js')).readCodeQuality,
  checkstyle: async (): Promise<Reader> => (await import('./readers/checkstyle.js')).readCheckstyle,
  junit: async (): Promise<Reader> => (await import('./readers/junit.js')).readJunit,
  rdjson: async (): Promise<Reader> => (await import('./readers/rdjson.js')).readRdjson,
  rdjsonl: async (): Promise<Reader> => (await import('./readers/rdjson.js')).readRdjsonLines,
  eslint: async (): Promise<Reader> => (await import('./readers/eslint.js')).readEslint,
  lines: async (): Promise<Reader> => (await import('./readers/lines.js')).readLines,
  diff: async (): Promise<Reader> => (await import('./readers/diff.js')).readDiff,
};

export type Format = keyof typeof readers;

/** For `--from`. */
export const reportFormats = Object.keys(readers) as Format[];

export interface ReadOptions {
  readonly format: Format;
  /** `--pattern`, for the format `lines`. */
  readonly pattern?: string | undefined;
  /** An empty report means that the tool found nothing. */
  readonly allowEmpty: boolean;
}

/** `name` of the file. */
export interface Source { readonly name: string; readonly text: string }

/** @throws Problem that names the file and the place in it, for a report that is empty, malformed or of a failed run */
export const readReports = async (sources: readonly Source[], options: ReadOptions): Promise<Report> => {
  const read = await readerFor(options);
  const reports = sources.map(({ name, text }) => {
    if (text.trim() === '') return emptyReport(name, options);
    try {
      return read(text);
    } catch (error) {
      throw error instanceof ReportError ? unusable(name, options.format, error) : error;
    }
  });
  return {
    tools: [...new Set(reports.flatMap(({ tools }) => tools))],
    findings: withoutRepetitions(reports.flatMap(({ findings }) => findings)),
  };
};

const readerFor = async ({ format, pattern }: ReadOptions): Promise<Reader> => {
  if (pattern === undefined) return readers[format]();
  if (format !== 'lines') throw usage(`--pattern cannot be used with --from ${format}`, 'use --from lines');
  const { customPattern, readLines } = await import('./readers/lines.js');
  const compiled = await customPattern(pattern);
  return (source) => readLines(source, compiled);
};

const emptyReport = (name: string, { allowEmpty }: ReadOptions): Report => {
  if (allowEmpty) return { tools: [], findings: [] };
  throw usage(`${name} is empty`,
    'check that the tool ran; if it prints nothing when it finds nothing, pass --allow-empty');
};

const unusable = (name: string, format: Format, { place, message, hint }: ReportError): Problem =>
  usage(`${name}${place === null ? '' : `: ${plainLine(place)}`}: ${plainLine(message)}`,
    hint ?? `check that ${name} is a ${format} report`);

/** Several jobs may check the same files. */
const withoutRepetitions = (findings: readonly Finding[]): Finding[] => {
  const known = new Map(findings.map((finding) => [JSON.stringify(finding), finding]));
  return [...known.values()];
};

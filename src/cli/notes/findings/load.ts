import { join, resolve } from 'node:path';
import type { App } from '../../app.js';
import { usage } from '../../command-line/errors/failure.js';
import type { GlobalFlags } from '../../command-line/flags/global.js';
import { say } from '../../terminal/io/messages.js';
import { readText } from '../../terminal/io/streams.js';
import { counted } from '../../../text/counted.js';
import { plainLine } from '../../../text/plain.js';
import { identify, type Identified } from './fingerprint.js';
import { isInside, pathBelow } from './paths.js';
import { readReports, type ReadOptions } from './read.js';

export interface LoadOptions extends Omit<ReadOptions, 'allowEmpty'>, Pick<GlobalFlags, 'quiet'> {
  readonly files: readonly string[];
  readonly allowEmpty?: boolean | undefined;
  readonly key?: string | undefined;
  readonly root?: string | undefined;
}

export interface Loaded {
  /** `--key`, else the tools that the reports name. */
  readonly keys: readonly string[];
  readonly findings: readonly (Identified & { readonly key: string })[];
}

/** With the files that they are about. @throws Problem for a report that cannot be used, and if there is no key */
export const loadReports = async (app: App, options: LoadOptions): Promise<Loaded> => {
  const { files, key, format } = options;
  const sources = [];
  for (const file of files) {
    sources.push({ name: file === '-' ? 'standard input' : file, text: await readText(app, file) });
  }
  const report = await readReports(sources, { ...options, allowEmpty: options.allowEmpty ?? false });
  for (const { name, count, line, text } of report.unread) {
    await say(app, options, plainLine(`${name}: ${counted(count, 'unread line')}, the first is line ${line}: ${text}`));
  }
  const root = resolve(options.root ?? (app.env['CI_PROJECT_DIR'] || await app.workTree()) ?? '');
  const findings = report.findings.map((finding) => ({ ...finding, file: pathBelow(root, finding.file) }));
  if (key === '') throw usage('the key is empty', 'pass --key NAME');
  if (key === undefined && (report.tools.length === 0 || findings.some(({ tool }) => tool === null))) {
    throw usage(`the ${format} report does not name its tool`,
      'pass --key NAME, by which later runs find the threads');
  }
  const lines = await linesOfFiles(app, root, [...new Set(findings.map(({ file }) => file))]);
  return {
    keys: key === undefined ? report.tools : [key],
    findings: identify(findings, (file) => lines.get(file) ?? null)
      .map((identified) => ({ ...identified, key: key ?? identified.finding.tool! })),
  };
};

/** Larger ones are not source. In bytes. */
const largestSource = 10_485_760;

/** Regular files below the root, links resolved; those that cannot be read are left out. */
const linesOfFiles = async (
  { files }: App, root: string, paths: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const found = new Map<string, readonly string[]>();
  for (const path of paths.filter(isInside)) {
    const content = await files.readLimited(join(root, path), largestSource, root).catch(() => null);
    if (content !== null) found.set(path, Buffer.from(content).toString().split('\n'));
  }
  return found;
};

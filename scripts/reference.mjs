/**
 * Writes the committed derived files: docs/reference.md, tables in other docs, the JSON Schema of world files, the
 * benchmark charts, the completions, the third-party notices, the component for GitLab CI, and the list of operations.
 * `--write` builds, rewrites them and has the tests rewrite their golden files; `--check` fails if one is stale.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { shells } from './build/shells.mjs';
import { behaviorTables, contentsOf } from './reference/behavior.mjs';
import { thirdPartyNotices } from './reference/notices.mjs';
import { operationLines } from './reference/operations.mjs';
import { referencePage } from './reference/page.mjs';
import { component } from './reference/templates.mjs';
import { withParts } from './reference/between.mjs';
import { dialectTable } from './reference/dialects.mjs';
import { toolTable } from './reference/tools.mjs';
import { charts, performanceParts } from './reference/performance.mjs';
import { worldSchema, worldTables } from './build/world-schema.mjs';
import { wholeProgram } from './build/program.mjs';
import { loadTypeScript } from './load-typescript.mjs';

process.chdir(join(import.meta.dirname, '..'));

const isWriting = process.argv.includes('--write');

const write = (file, text) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.error(`wrote ${file}`);
};

const isStale = ([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text;

if (isWriting) {
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const { openApi } = await import('../dist/lib/contract/openapi.js');
const { contract, everyEndpoint } = await import('../dist/lib/contract/contract.js');
const { behavior } = await import('../dist/lib/contract/behavior/behavior.js');
const { World } = await loadTypeScript('src/server/world-file/schema.ts');

const program = await wholeProgram();

const figures = JSON.parse(readFileSync('bench/figures.json', 'utf8'));
const chartFiles =
  Object.fromEntries(Object.entries(charts(figures)).map(([name, svg]) => [`docs/charts/${name}`, svg]));

const derived = {
  'docs/reference.md': referencePage(program, everyEndpoint()),
  'docs/behavior.md': withParts('docs/behavior.md', {
    contents: contentsOf('docs/behavior.md'), ...behaviorTables(behavior),
  }),
  'docs/server-reference.md': withParts('docs/server-reference.md', { dialects: dialectTable(contract) }),
  'docs/world-file.md': withParts('docs/world-file.md', worldTables(World)),
  'docs/world.schema.json': `${JSON.stringify(worldSchema(World), null, 2)}\n`,
  'docs/pipelines/tools.md': withParts('docs/pipelines/tools.md', { tools: toolTable(program.reportTools) }),
  'docs/performance.md': withParts('docs/performance.md', performanceParts(figures)),
  ...chartFiles,
  'templates/colloquy.yml': component(),
  'THIRD-PARTY-NOTICES.txt': thirdPartyNotices(),
  'test/golden/operations.txt': operationLines(openApi('')),
  ...Object.fromEntries(Object.entries(shells).map(([shell, { file }]) =>
    [`completions/${file}`, readFileSync(`dist/constant/completion ${shell}`, 'utf8')])),
};

/** Charts of removed benchmarks. */
const filesIn = (folder) => existsSync(folder) ? readdirSync(folder).map((file) => `${folder}/${file}`) : [];
const obsolete = filesIn('docs/charts').filter((file) => !(file in derived));

const stale = Object.entries(derived).filter(isStale).map(([file]) => file);

const firstDifference = (file) => {
  const before = (existsSync(file) ? readFileSync(file, 'utf8') : '').split('\n');
  const after = derived[file].split('\n');
  const line = after.findIndex((text, index) => text !== before[index]);
  return `${file}:${line + 1}\n- ${before[line] ?? ''}\n+ ${after[line] ?? ''}`;
};

if (isWriting) {
  for (const file of stale) write(file, derived[file]);
  for (const file of obsolete) {
    rmSync(file);
    console.error(`removed ${file}`);
  }
  const vitest = join('node_modules', 'vitest', 'vitest.mjs');
  const env = { ...process.env, COLLOQUY_GOLDEN: 'write' };
  const goldenTests = ['test/cli/golden', 'test/docs.test.ts', 'test/transcripts/transcripts.test.ts'];
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...goldenTests], { env, stdio: ['ignore', 2, 2] });
  process.exitCode = status ?? 1;
} else if (stale.length + obsolete.length > 0) {
  const problems = [...stale.map(firstDifference), ...obsolete.map((file) => `${file} is left over`)];
  console.error(`Derived files are stale; run: npm run reference\n\n${problems.join('\n\n')}`);
  process.exitCode = 1;
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

interface Source { readonly path: string; readonly text: string; readonly code: string; readonly imports: readonly Import[] }
interface Import { readonly to: string; readonly how: 'static' | 'type' | 'lazy'; readonly line: number }

/** Comments out, so that what a comment speaks of is not taken for code. Every line keeps its number. */
/** Strings stay: a path such as `/projects/*` does not begin a comment. */
const withoutComments = (text: string) => text
  .replace(/('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")|\/\*[\s\S]*?\*\//g, (found, string?: string) => string ?? found.replace(/[^\n]/g, ''))
  .replace(/(^|\s)\/\/.*$/gm, '$1');

const importsOf = (path: string, code: string): Import[] => [
  ...found(code, /^(?:import|export) (?!type\b)[^'";]*?from '([^']+)'/gm, 'static'),
  ...found(code, /^(?:import|export) type\b[^'";]*?from '([^']+)'/gm, 'type'),
  ...found(code, /^import '([^']+)'/gm, 'static'),
  ...found(code, /\bimport\('([^']+)'\)/g, 'lazy'),
].map((one) => ({ ...one, to: one.to.startsWith('.') ? join(dirname(path), one.to).replace(/\.js$/, '.ts') : one.to }));

const found = (code: string, pattern: RegExp, how: Import['how']): Import[] =>
  [...code.matchAll(pattern)].map((match) => ({ to: match[1]!, how, line: code.slice(0, match.index).split('\n').length }));

const sources = (folder: string): Source[] => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => {
    const path = join(folder, name);
    const text = readFileSync(join(root, path), 'utf8');
    const code = withoutComments(text);
    return { path, text, code, imports: importsOf(path, code) };
  });

const src = sources('src');
const areaOf = (path: string) => relative('src', path).split('/')[0]!;
const isOwn = (to: string) => to.startsWith('src/');
const isBuiltin = (to: string) => to.startsWith('node:') || builtinModules.includes(to);

/** What each part may import of the others. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  contract: ['contract'],
  wire: ['contract', 'wire', 'text'],
  diff: ['diff'],
  text: ['text'],
  markdown: ['text', 'markdown'],
  yaml: ['yaml'],
  recording: ['wire', 'text', 'recording'],
  page: ['contract', 'text', 'page'],
  client: ['contract', 'wire', 'client'],
  conformance: ['contract', 'diff', 'client', 'conformance'],
  server: ['contract', 'wire', 'diff', 'text', 'markdown', 'yaml', 'recording', 'page', 'server', 'version.ts'],
  cli: ['contract', 'conformance', 'recording', 'page', 'wire', 'diff', 'text', 'markdown', 'yaml', 'client', 'cli', 'version.ts'],
  'index.ts': ['contract', 'wire', 'client', 'index.ts'],
  'version.ts': [],
};

/** Where the program turns into a server: only when it is asked to, so only lazily. */
const startsServer = /^src\/cli\/(commands\/serve|service\/connection\/client)\.ts$/;

/** What is pure may use these of the libraries that come with Node: they compute, and touch nothing. */
const computing = ['node:crypto', 'node:buffer', 'node:zlib'];

/** Packages that the spine may use. */
const packagesOf: Readonly<Record<string, readonly string[]>> = {
  contract: ['@sinclair/typebox'],
  wire: ['@sinclair/typebox', '@fastify/busboy', 'form-data'],
  recording: ['@sinclair/typebox'],
  diff: ['diff'],
  text: [],
  markdown: ['entities/decode'],
  yaml: ['yaml'],
};

/** Where the surroundings of the program may be touched; everything else is handed what it needs. */
const touches: readonly { readonly what: RegExp; readonly where: RegExp }[] = [
  { what: /\bprocess\.(?!hrtime|getBuiltinModule)/, where: /^src\/(cli\/(main|terminal\/io\/git|service\/settings\/.*|state\/.*)|server\/store\/.*)\.ts$/ },
  { what: /\bconsole\./, where: /^$/ },
  {
    what: /\bMath\.random\b|\brandom(Bytes|UUID|Int)\b/,
    where: /^src\/(wire\/time|server\/index|server\/store\/.*|cli\/appearance\/preview\/listen|cli\/agents\/server|cli\/terminal\/io\/files)\.ts$/,
  },
  { what: /\bDate\.now\b|\bnew Date\(\)|\bperformance\.|\bhrtime\b/, where: /^src\/(cli\/main|wire\/time|server\/index)\.ts$/ },
];

/** Who may read and write files and open sockets: the edges of the program, each by name. */
const edges = new RegExp('^src/('
  + 'cli/(main|service/settings/.*|state/.*|terminal/io/(tools|prompts|files|screen|git)|appearance/preview/listen)'
  + '|server/(http/listen|hooks/send|index|world-file/(load|watch)|store/.*)|client/transport/(socket|node-http|tunnel)'
  + ')\\.ts$');
const outside = /^(node:)?(fs|fs\/promises|net|http|https|http2|tls|dgram|child_process|worker_threads|readline|os)$/;

const allowed = (path: string, { to, how }: Import): boolean =>
  mayImport[areaOf(path)]!.includes(areaOf(to)) || (startsServer.test(path) && how !== 'static' && areaOf(to) === 'server');

describe('the parts of the program', () => {
  it('are the ones that have rules', () => {
    expect([...new Set(src.map(({ path }) => areaOf(path)))].sort()).toEqual(Object.keys(mayImport).sort());
  });

  it('import only what they may', () => {
    const wrong = src.flatMap(({ path, imports }) => imports.filter((one) => isOwn(one.to) && !allowed(path, one))
      .map(({ to, line }) => `${path}:${line} imports ${to}`));
    expect(wrong, wrong.join('\n')).toEqual([]);
  });

  it('that are pure use pure packages', () => {
    for (const { path, imports } of src.filter(({ path }) => areaOf(path) in packagesOf)) {
      for (const { to } of imports.filter((one) => !isOwn(one.to))) {
        expect([...packagesOf[areaOf(path)]!, ...computing], path).toContain(to.replace(/^(@sinclair\/typebox)\/.*/, '$1'));
      }
    }
  });

  it('read YAML in one place, with its limits', () => {
    const parsers = /\b(parseDocument|parseAllDocuments|parse|Parser|Composer|Lexer)\b[^;]*\} (?:=|from) [^;]*'yaml'/;
    expect(src.filter(({ code }) => parsers.test(code)).map(({ path }) => path)).toEqual(['src/yaml/read.ts']);
  });

  it('quote words for a shell in one place, apart from the script for zsh', () => {
    expect(src.filter(({ code }) => code.includes(String.raw`"'\\''")`)).map(({ path }) => path).sort())
      .toEqual(['src/cli/help/completions/zsh.ts', 'src/text/quoting.ts']);
  });

  it('have the texts of fields in the OpenAPI document alone', () => {
    const importing = src.filter(({ imports }) => imports.some(({ to }) => to === 'src/contract/openapi/field-texts.ts'));
    expect(importing.map(({ path }) => path)).toEqual(['src/contract/openapi/schemas.ts']);
    expect(src.flatMap(({ path, imports }) => imports.filter(({ to, how }) => to === 'src/contract/openapi.ts' && how === 'static').map(() => path)))
      .toEqual([]);
  });

  it('count things with one function', () => {
    expect(src.filter(({ code }) => /=== 1 \? ['"`](1|one) |> 1 \? 's' : ''/.test(code)).map(({ path }) => path)).toEqual([]);
  });

  it('reach files and sockets at the edges alone', () => {
    // Constants, and functions that only compute.
    const harmless = /^import \{ (?:STATUS_CODES|BlockList, isIP, isIPv4, type Socket) \} from 'node:(?:http|net)';$/m;
    const withoutConstants = (code: string) => code.replace(harmless, '');
    const reaching = src.filter(({ path, code }) => importsOf(path, withoutConstants(code)).some(({ to, how }) =>
      how !== 'type' && isBuiltin(to) && outside.test(to)));
    expect(reaching.length).toBeGreaterThan(0);
    expect(reaching.map(({ path }) => path).filter((path) => !edges.test(path))).toEqual([]);
  });

  it('of the library use timers that fake timers in tests of its callers do not reach', () => {
    const calls = /(?<![.\w])(?:set|clear)(?:Timeout|Interval|Immediate)\(/;
    const timed = src.filter(({ path, code }) =>
      path !== 'src/wire/time.ts' && /^src\/(client|server|wire)\//.test(path) && calls.test(code));
    expect(timed.length).toBeGreaterThan(0);
    const ofOthers = /\/demo\/|\/inspector\/script\.ts$/;
    const faked = timed.filter(({ path, imports }) => !ofOthers.test(path) && !imports.some(({ to }) => to.endsWith('wire/time.ts')));
    expect(faked.map(({ path }) => path)).toEqual([]);
  });

  it.each(touches)('touch $what only where they may', ({ what, where }) => {
    expect(src.filter(({ code }) => what.test(code)).map(({ path }) => path).filter((path) => !where.test(path))).toEqual([]);
  });
});

const folders = [...new Set(src.flatMap(({ path }) => {
  const parts = dirname(path).split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}))].sort();

/** The file or folder directly in a folder that has a path; null outside of the folder. */
const entryIn = (folder: string, path: string) => {
  if (!path.startsWith(`${folder}/`)) return null;
  return path.slice(folder.length + 1).split('/')[0]!;
};

/** The entries of a folder that lead back to themselves, by imports of all kinds. */
const rings = (folder: string): string[] => {
  const next = new Map<string, Set<string>>();
  for (const { path, imports } of src) {
    const from = entryIn(folder, path);
    if (from === null) continue;
    const others = imports.map(({ to }) => entryIn(folder, to)).filter((to) => to !== null && to !== from);
    next.set(from, new Set([...next.get(from) ?? [], ...others as string[]]));
  }
  const reached = (from: string, seen = new Set<string>()): Set<string> => {
    for (const to of next.get(from) ?? []) if (!seen.has(to)) reached(to, seen.add(to));
    return seen;
  };
  return [...next.keys()].filter((entry) => reached(entry).has(entry)).map((entry) => `${folder}/${entry}`);
};

it('the entries of a folder import each other in one direction', () => {
  expect(folders.flatMap(rings).sort()).toEqual([]);
});

/** What a file loads before it runs. */
const loadedWith = (path: string, loaded = new Set<string>()): Set<string> => {
  for (const { to, how } of src.find((one) => one.path === path)?.imports ?? []) {
    if (how === 'static' && !loaded.has(to)) loadedWith(to, loaded.add(to));
  }
  return loaded;
};

/** The files of `bin/bundles.json`. */
const frequentCommands = () => {
  const bundles = JSON.parse(readFileSync(join(root, 'bin/bundles.json'), 'utf8')) as Record<string, Record<string, Record<string, string[]>>>;
  const commands = Object.values(bundles).flatMap((caches) => Object.values(caches)).flatMap((one) => Object.entries(one))
    .flatMap(([noun, verbs]) => verbs.map((verb) => `src/cli/commands/${noun}/${verb}.ts`));
  const found = commands.filter((path) => src.some((one) => one.path === path));
  expect(found.length).toBeGreaterThan(15);
  return found;
};

it('frequent commands measure no texts before they print to a terminal: that takes longer than a request', () => {
  expect(frequentCommands().filter((path) => loadedWith(path).has('string-width'))).toEqual([]);
});

it('a request without --debug loads no patterns of secrets, which it would only compile', () => {
  expect([...loadedWith('src/cli/commands/appearance/get.ts')].filter((path) => path.startsWith('src/wire/secrets/redact'))).toEqual([]);
});

/** The names that a file exports. */
const exportsOf = (code: string): string[] => [
  ...[...code.matchAll(/^export (?:async |abstract )*(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm)].map((match) => match[1]!),
  ...[...code.matchAll(/^export (?:const )?\{([^}]*)\}/gm)].flatMap((match) => match[1]!.split(',').map((name) => name.trim()).filter(Boolean)),
];

const wordsOf = (code: string) => new Set(code.match(/\w+/g));

/** The names that no other file of `users` mentions that imports their file. */
const unimported = (users: readonly Source[]): { readonly path: string; readonly name: string }[] => {
  const importers = new Map<string, Set<string>[]>();
  for (const { code, imports } of users) {
    const words = wordsOf(code);
    for (const to of new Set(imports.map((one) => one.to))) importers.set(to, [...importers.get(to) ?? [], words]);
  }
  return src.filter(({ path }) => !/^src\/(server\/)?index\.ts$/.test(path)).flatMap(({ path, code }) =>
    [...new Set(exportsOf(code))].filter((name) => !importers.get(path)?.some((words) => words.has(name))).map((name) => ({ path, name })));
};

/** Exports that only scripts load. */
const forScripts: readonly string[] = ['areas', 'main'];

it('an export has an importer', () => {
  expect(unimported([...src, ...sources('test')]).filter(({ name }) => !forScripts.includes(name))).toEqual([]);
});

it('an exported name means one thing within cli', () => {
  const homes = new Map<string, string[]>();
  for (const { path, code } of src.filter((source) => areaOf(source.path) === 'cli')) {
    for (const name of new Set(exportsOf(code))) homes.set(name, [...homes.get(name) ?? [], path]);
  }
  expect([...homes].filter(([, paths]) => paths.length > 1)).toEqual([]);
});

it.each([['src/cli', 16], ['src/server', 18]])('%s has at most %i entries', (folder, most) => {
  const entries = new Set(src.map(({ path }) => entryIn(folder, path)).filter((entry) => entry !== null));
  expect(entries.size).toBeLessThanOrEqual(most);
});

/** How many percent of the sources over 30 lines have a test at their mirrored path; this number only grows. */
const leastMirrored = 89;

/** Where a newcomer looks for the tests of a source: a file, or a folder with a file for each subject. */
const mirrorsOf = (path: string) => ['.test.ts', ''].map((end) => path.replace(/^src\//, 'test/').replace(/\.ts$/, end));

it('sources have their tests at the mirrored path in test/', () => {
  const large = src.filter(({ text }) => text.split('\n').length > 31).map(({ path }) => path);
  const without = large.filter((path) => !mirrorsOf(path).some((mirror) => existsSync(join(root, mirror))));
  const share = 100 * (large.length - without.length) / large.length;
  expect(share, `these sources have no test at their mirrored path:\n${without.join('\n')}\n`).toBeGreaterThanOrEqual(leastMirrored);
});

it('at most 8 of 100 lines of the sources are comments, with those that ship in declarations', () => {
  const lines = src.flatMap(({ text }) => text.split('\n').slice(0, -1));
  const comments = lines.filter((line) => /^\s*(\/\/|\/\*|\*)/.test(line));
  expect(comments.length / lines.length).toBeLessThanOrEqual(0.08);
});

describe('a source file', () => {
  it('has a name that says what is in it', () => {
    expect(src.map(({ path }) => path).filter((path) => /(^|\/)(utils?|helpers?|common|misc|stuff)(\/|\.ts$)/.test(path))).toEqual([]);
  });

  it('has no default export and re-exports nothing wholesale', () => {
    expect(src.filter(({ code }) => /^export (default|\* from)\b/m.test(code)).map(({ path }) => path)).toEqual([]);
  });

  it('leaves nothing to do', () => {
    expect(src.filter(({ text }) => /\b(TODO|FIXME|XXX|HACK)\b/.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

it('no test is skipped, and none stands alone', () => {
  const silenced = /\b(it|test|describe)\.(skip|only|todo|fails|skipIf|runIf)\b/;
  const others = sources('test').filter(({ path }) => path !== 'test/rules/architecture.test.ts');
  expect(others.filter(({ code }) => silenced.test(code)).map(({ path }) => path)).toEqual([]);
});

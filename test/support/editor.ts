import { join } from 'node:path';
import ts from 'typescript';

/** What an editor shows about a program. */
export interface Editor {
  /** The text of a hover at the first occurrence of a text, with documentation and tags. */
  readonly hover: (at: string) => string;
  /** The errors in the program. */
  readonly errors: () => string[];
}

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext, strict: true, noEmit: true, skipLibCheck: true,
  types: ['node'], typeRoots: [join(import.meta.dirname, '..', '..', 'node_modules', '@types')], preserveSymlinks: true,
};

/** Opens a program in a folder, whose packages it can import; links to packages are not followed. */
export const openInEditor = (folder: string, program: string): Editor => {
  const file = join(folder, 'program.mts');
  const textOf = (path: string) => path === file ? program : ts.sys.readFile(path);
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const text = textOf(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile: textOf,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  return {
    hover: (at) => {
      const info = service.getQuickInfoAtPosition(file, program.indexOf(at));
      const parts = [info?.displayParts, info?.documentation].map((part) => ts.displayPartsToString(part));
      const tags = (info?.tags ?? []).map(({ name, text }) => `@${name} ${ts.displayPartsToString(text)}`);
      return [...parts, ...tags].join('\n');
    },
    errors: () => [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)]
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  };
};

import { expect, it } from 'vitest';
import { yamlText } from '../src/cli/terminal/output/yaml.js';
import { neutralText, withoutCommands } from '../src/markdown/safe-text.js';
import { suggestionBlocks } from '../src/markdown/suggestions.js';
import { mentionsIn, showHidden, withoutMarkup } from '../src/markdown/prose.js';
import { extractQuickActions } from '../src/server/handlers/discussions/quick-actions.js';
import { plainCode, plainLine, plainText } from '../src/text/plain.js';
import { redactSecrets } from '../src/wire/secrets/redact.js';
import { everyRow } from './support/rows.js';

const length = 300_000;

/** With a quadratic step, a row takes minutes. */
const readers: readonly (readonly [name: string, read: (text: string) => unknown])[] = [
  ['yaml', (text) => yamlText({ text })], ['neutral', neutralText], ['commands', withoutCommands], ['suggestions', suggestionBlocks],
  ['mentions', mentionsIn], ['hidden', showHidden], ['markup', withoutMarkup], ['actions', (text) => extractQuickActions('merge_request', text)],
  ['text', plainText], ['line', plainLine], ['code', plainCode], ['secrets', redactSecrets],
];

const runs: readonly (readonly [start: string, run: string, end: string])[] = [
  ['a', '\t', '\nb'], ['a', ' ', 'b'], ['a', '\n', 'b'], ['/label', ' ', '\u2028b'], ['token=', '.', 'a'], ['](', ' ', 'a'], ['```suggestion', ' ', 'a'],
  ['~~~', '~', '\n/close\n~~~'], ['', '<', ''], ['', '&', ''], ['', '\\', ''], ['', '`', 'a'], ['', '[', ']'], ['', '1', 'a'], ['', '-', 'a'],
  ['a: "', '"', 'b'],
];

it.each(readers)('long runs of one character are read in linear time: %s', async (_, read) => {
  await everyRow(runs, JSON.stringify, ([start, run, end]) => { expect(read(start + run.repeat(length) + end)).toBeDefined(); });
});

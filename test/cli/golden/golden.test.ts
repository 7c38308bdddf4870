import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formats } from '../../../src/cli/command-line/flags.js';
import { testApp } from '../../support/app.js';
import { testService } from '../../support/service.js';
import { goldenWorld } from './world.js';

/** One command for each kind of result, with fields and a jq expression for it. */
const kinds = {
  threads: { command: ['discussions', 'list', 'mr/12'], fields: 'id,individual_note', jq: '.[] | .notes[0].author.username' },
  thread: { command: ['discussions', 'get', 'mr/12', 'cccc'], fields: 'id', jq: '.notes[] | {id, body}' },
  notes: { command: ['notes', 'list', 'issue/7'], fields: 'id,body', jq: 'map(.id)' },
  appearance: { command: ['appearance', 'get'], fields: 'title,logo', jq: '.title' },
  epics: { command: ['epics', 'list', 'epic/1'], fields: 'iid,title', jq: '.[].title' },
};
type Kind = keyof typeof kinds;

const visible = (text: string) => text.replaceAll('\x1b', '␛');
const quoted = (word: string) => /^[\w./,=-]+$/.test(word) ? word : `'${word}'`;

/** The output of a command in every format, one after the other. */
const transcript = async (kind: Kind, terminal: boolean): Promise<string> => {
  const { command, fields, jq } = kinds[kind];
  const service = await testService({ world: goldenWorld });
  const world = await testApp({
    service, terminal, colors: terminal ? 1 : 0, now: '2024-05-08T12:00:00Z', env: { COLLOQUY_TOKEN: 'root-token' },
  });
  const calls = [[], ...formats.filter((format) => format !== 'table').map((format) => ['-o', format]), [`--json=${fields}`], ['--jq', jq]];
  const texts: string[] = [];
  for (const flags of calls) {
    const { code, out, err } = await world.run(...command, ...flags);
    const end = code === 0 ? '' : `exit ${code}\n`;
    texts.push(`$ colloquy ${[...command, ...flags].map(quoted).join(' ')}\n${visible(out + err)}${end}`);
  }
  return texts.join('\n');
};

/** `npm run reference` rewrites the files. */
const isWriting = process.env['COLLOQUY_GOLDEN'] === 'write';

describe.each(Object.keys(kinds) as Kind[])('the output of %s', (kind) => {
  it.each(['terminal', 'pipe'])('in every format, on a %s, matches the golden file', async (place) => {
    const file = join(import.meta.dirname, `${kind}.${place}.txt`);
    const text = await transcript(kind, place === 'terminal');
    if (isWriting) writeFileSync(file, text);
    expect(text).toBe(readFileSync(file, 'utf8'));
  });
});

import { expect, it } from 'vitest';
import { headFiles, knownRuns } from '../../../../../src/cli/notes/suggestions/apply.js';
import { json } from '../../../../support/answers.js';
import { openTarget } from '../../../../support/targets.js';

const encoded = (text: string) => ({ encoding: 'base64', content: Buffer.from(text).toString('base64') });
const fileAnswer = (body: object) => ({ target }: { readonly target: string }) =>
  target.includes('/repository/files/') ? json(200, body) : undefined;

const read = async (answer?: ReturnType<typeof fileAnswer>) => {
  const { app, target } = await openTarget('!1', { ...answer && { answer } });
  return (await headFiles(app, target)).of('app.js');
};

it('reads the file from the service if it has the lines of the diff', async () => {
  expect((await read(fileAnswer(encoded('one\nzwei\nthree\nfour\nfive\n'))))?.text).toBe('one\nzwei\nthree\nfour\nfive\n');
});

it.each([['another version', encoded('one\ntwo\nthree\nfour\n')], ['bytes that are no text', { encoding: 'base64', content: '/w==' }]])(
  'knows only the lines of the diff if the service has %s', async (_, body) => {
    const file = await read(fileAnswer(body));
    expect([file?.text, [...file!.lines.values()].join('')]).toEqual([null, 'one\nzwei\nthree\nfour\n']);
  });

it('makes runs of consecutive lines', () => {
  const lines = new Map([[1, 'a\n'], [2, 'b\n'], [7, 'g\n']]);
  expect(knownRuns({ text: null, lines }, (text, line) => `${line}${text}`)).toEqual([
    { line: 1, before: 'a\nb\n', after: '1a\nb\n' }, { line: 7, before: 'g\n', after: '7g\n' },
  ]);
});

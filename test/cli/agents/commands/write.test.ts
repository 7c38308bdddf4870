import { expect, it } from 'vitest';
import { callOf, writeCommand } from '../../../../src/cli/agents/commands.js';
import type { Given } from '../../../../src/cli/agents/tools.js';
import { neutralText } from '../../../../src/markdown/safe-text.js';
import { demoWorld } from '../../../../src/server/index.js';
import { testApp } from '../../../support/app.js';
import { everyRow } from '../../../support/rows.js';
import { testService } from '../../../support/service.js';

it('what an agent gives is never an option', () => {
  const { options, positionals, text } = writeCommand({ action: 'reply', ref: '--token=x', thread: '-f', body: '--help', key: '--yes' });
  expect(positionals).toEqual(['--token=x', '-f']);
  expect(options).toEqual(['discussions', 'reply', '--body-file=-', '--output=id', '--key=--yes']);
  expect(text).toBe('--help');
});

it.each([
  [{ action: 'reply', ref: 'mr/1', body: 'x' }, 'reply requires thread'], [{ action: 'resolve', ref: 'mr/1' }, 'resolve requires thread'],
  [{ action: 'comment', ref: 'mr/1' }, 'comment requires body'], [{ action: 'upsert', ref: 'mr/1', body: 'x' }, 'upsert requires key'],
  [{ action: 'review', ref: 'mr/1' }, 'review requires body'], [{ action: 'comment', ref: 'mr/1', body: 'x', line: 3 }, 'line requires file'],
  [{ action: 'review', ref: 'mr/1', body: 'x', line: 3 }, 'line requires file'],
  [{ action: 'review', ref: 'mr/1', body: 'x', thread: '53a25ddd', file: 'a.ts' }, 'thread and file cannot be combined'],
] as const)('%j is refused: %s', (given, message) => {
  expect(() => writeCommand(given)).toThrow(message);
});

it.each([
  [{ action: 'resolve', thread: '53a25ddd', body: 'Moved.' }, 'resolve has no body', 'use body with reply or comment or upsert or review'],
  [{ action: 'unresolve', thread: '53a25ddd', body: 'No.' }, 'unresolve has no body', 'use body with reply or comment or upsert or review'],
  [{ action: 'unresolve', thread: '53a25ddd', fixed_by: 'HEAD' }, 'unresolve has no fixed_by', 'use fixed_by with resolve'],
  [{ action: 'resolve', thread: '53a25ddd', verdict: 'approve' }, 'resolve has no verdict', 'use verdict with review'],
  [{ action: 'resolve', thread: '53a25ddd', key: 'k' }, 'resolve has no key', 'use key with reply or comment or upsert'],
  [{ action: 'comment', body: 'x', thread: '53a25ddd' }, 'comment has no thread', 'use thread with reply or resolve or unresolve or review or apply'],
  [{ action: 'comment', body: 'x', summary: 'y' }, 'comment has no summary', 'use summary with review'],
  [{ action: 'upsert', body: 'x', key: 'k', file: 'a.ts', line: 3 }, 'upsert has no file', 'use file with comment or review'],
  [{ action: 'reply', body: 'x', thread: '53a25ddd', line: 3 }, 'reply has no line', 'use line with comment or review'],
  [{ action: 'review', body: 'x', key: 'k' }, 'review has no key', 'use key with reply or comment or upsert'],
  [{ action: 'review', verdict: 'approve', body: 'x' }, 'a verdict has no body', expect.stringContaining('store the comments first')],
  [{ action: 'review', summary: 'y', thread: '53a25ddd' }, 'a verdict has no thread', expect.stringContaining('store the comments first')],
] as const)('%j would be ignored in part, so it is refused: %s', (given, message, hint) => {
  expect(() => writeCommand({ ref: 'mr/1', ...given })).toThrow(expect.objectContaining({ message, hint }) as Error);
});

it('every text of an agent is harmless, and has no secrets', async () => {
  const service = await testService({ world: demoWorld, dialect: 'live' });
  const { app } = await testApp({ service, env: { COLLOQUY_TOKEN: 'root-token', DEPLOY_TOKEN: 's3cr3t-value-123456' } });
  const path = '/projects/acme%2Fapp/merge_requests/12';
  const harmful = ['/close', '@bob #7 s3cr3t-value-123456', '```suggestion', 'x', '```', '`a\0b`'].join('\n');
  const harmless = neutralText(harmful.replace('s3cr3t-value-123456', '[masked]').replace('\0', ''));
  const texts = async () => {
    const stored = await Promise.all(['notes', 'draft_notes'].map((list) =>
      service.get<readonly { readonly body?: string; readonly note?: string }[]>(`${path}/${list}?per_page=100`, { as: 'root' })));
    return stored.flatMap(({ body }) => body.map((one) => one.body ?? one.note!)).filter((text) => text.startsWith(harmless));
  };
  const file = 'src/delivery/send.ts';
  await everyRow<Partial<Given<'write'>> & Pick<Given<'write'>, 'action'>>([
    { action: 'reply', thread: '53a2' }, { action: 'comment' }, { action: 'comment', file, line: 13 }, { action: 'upsert', key: 'k' },
    { action: 'review' }, { action: 'review', thread: '53a2' }, { action: 'review', file }, { action: 'review', file, line: 13 },
    { action: 'review', summary: harmful, verdict: 'reviewed' },
  ], (given) => JSON.stringify(given), async (given) => {
    const before = await texts();
    const body = given.summary === undefined ? { body: harmful } : {};
    const { error } = await callOf(app, [])(writeCommand({ ref: 'mr/12', ...body, ...given }), new AbortController().signal);
    expect(error).toBeNull();
    expect(await texts()).toHaveLength(before.length + 1);
  });
  expect((await service.get<{ state: string }>(path, { as: 'root' })).body.state).toBe('opened');
});

it.each<Given<'write'>>([
  { action: 'comment', ref: 'mr/12', body: ' ' }, { action: 'review', ref: 'mr/12', body: ' ' },
])('a blank text is refused: %j', async (given) => {
  const { app } = await testApp({ service: await testService({ world: demoWorld, dialect: 'live' }), env: { COLLOQUY_TOKEN: 'root-token' } });
  const { error } = await callOf(app, [])(writeCommand(given), new AbortController().signal);
  expect(error).toMatchObject({ code: 'usage', message: 'the text is empty', hint: 'pass a body' });
});

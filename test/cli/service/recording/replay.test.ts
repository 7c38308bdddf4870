import { expect, it } from 'vitest';
import { replayedRecording } from '../../../../src/cli/service/recording/replay.js';
import { printExchange } from '../../../../src/recording/exchange.js';
import { ranIn, testApp } from '../../../support/app.js';
import { testService } from '../../../support/service.js';
import { written } from '../../../support/written.js';

const line = printExchange({
  time: '2024-05-01T12:00:00Z', duration: 1, user: null, request: { method: 'GET', target: '/api/v4/version', headers: {}, body: '' },
  response: { status: 200, headers: {}, body: '{}' },
});

it('a recording is read, and its end says where the responses came from', async () => {
  const world = await testApp({ files: { 'a.ndjson': line } });
  const said: string[] = [];
  const app = { ...world.app, err: { ...world.app.err, write: async (text: string) => { said.push(text); } } };
  const replayed = (await replayedRecording(app, { replay: 'a.ndjson' }))!;
  expect(replayed.replay.exchanges).toHaveLength(1);
  for (const source of ['recorded', 'world', 'world'] as const) replayed.replay.onReplay(source);
  await replayed.end();
  expect(said.join('')).toContain('1 response from a.ndjson, 2 from the world');
  const strict = (await replayedRecording(app, { replay: 'a.ndjson', strict: true }))!;
  strict.replay.onReplay('none');
  await strict.end();
  expect(said.join('')).toContain('0 responses from a.ndjson, 1 of requests that it does not have');
});

it.each([0, 99_999])('a recorded status that cannot be sent is refused at the start of the server: %i', async (status) => {
  const text = line.replace('"status":200', `"status":${status}`);
  const { code, err } = await ranIn({ files: { 'a.ndjson': line + text } }, 'serve', '--replay', 'a.ndjson');
  expect([code, err]).toEqual([2,
    expect.stringContaining(`a.ndjson:2: not an exchange: /response/status: expected a status from 200 to 999, not ${status}`)]);
});

it('a cut last line, as a killed server leaves it, is a warning, and refused with --strict', async () => {
  const world = await testApp({ files: { 'a.ndjson': line + line.slice(0, 40) } });
  const { app, texts } = written(world.app);
  expect((await replayedRecording(app, { replay: 'a.ndjson', quiet: true }))!.replay.exchanges).toHaveLength(1);
  expect(texts.err).toBe('warning: a.ndjson:2: the line is cut; its exchange and later ones are missing\n');
  await expect(replayedRecording(app, { replay: 'a.ndjson', strict: true })).rejects.toMatchObject({
    code: 'usage', message: expect.stringContaining('a.ndjson:2: the line is cut') as string });
});

it('a response that an archive does not have is a warning, and refused with --strict', async () => {
  const entry = (content: object) => ({ startedDateTime: '', time: 1, request: { method: 'GET', url: 'https://git.example/api/v4/user', headers: [] },
    response: { status: 200, headers: [], content } });
  const archive = JSON.stringify({ log: { entries: [entry({ size: 2, text: '{}' }), ...[7, 8, 9].map((size) => entry({ size }))] } });
  const { app, texts } = written((await testApp({ files: { 'a.har': archive } })).app);
  expect((await replayedRecording(app, { replay: 'a.har' }))!.replay.exchanges).toHaveLength(1);
  expect(texts.err).toBe('warning: a.har: log.entries[1] has no body, of 7 bytes; 2 other exchanges cannot be read\n');
  await expect(replayedRecording(app, { replay: 'a.har', strict: true })).rejects
    .toMatchObject({ code: 'usage', hint: 'save the archive again, with the content of all responses' });
});

it('an archive of the test server with a cut body is a warning, and refused with --strict', async () => {
  const { post, get } = await testService();
  await post('/projects/20/issues/1/notes', { json: { body: 'x'.repeat(15_000) } });
  await get('/user');
  const archive = (await get('/-/requests?format=har')).text;
  const { app, texts } = written((await testApp({ files: { 'a.har': archive } })).app);
  expect((await replayedRecording(app, { replay: 'a.har' }))!.replay.exchanges).toHaveLength(1);
  expect(texts.err).toBe('warning: a.har: log.entries[0] has a cut body\n');
  await expect(replayedRecording(app, { replay: 'a.har', strict: true })).rejects
    .toMatchObject({ code: 'usage', hint: expect.stringContaining('record the requests with `serve --proxy URL --record FILE`') as string });
});

it('a file that is no recording is named with the line', async () => {
  const { app } = await testApp({ files: { 'b.ndjson': `${line}{}\n` } });
  await expect(replayedRecording(app, { replay: 'b.ndjson' })).rejects.toMatchObject({
    code: 'usage', message: expect.stringContaining('b.ndjson:2') as string,
  });
});

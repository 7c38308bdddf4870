import { expect, it } from 'vitest';
import { recordedBytes } from '../../src/recording/exchange.js';
import { readRecording } from '../../src/recording/read.js';
import { createRecorder } from '../../src/recording/recorder.js';
import { replayingProxy } from '../../src/server/http/replay.js';
import { redactRequest } from '../../src/wire/secrets/redact.js';
import { randomHex } from '../../src/server/random.js';
import { everyRow } from '../support/rows.js';
import { exchange, ordinaryBodies, plantedSecrets } from './planted-secrets.js';

const base = 'https://git.acme.dev';
const lower = (text: string): string => text.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase());
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const inBase64 = (text: string, before: number): string => Buffer.from('x'.repeat(before) + text).toString('base64');
/** Without the characters that depend on what is around the text. */
const innerBase64 = (text: string, before: number): string => inBase64(text, before).slice(before === 0 ? 0 : 4, -4);

/** All in which a program can print it. */
const formsOf = (secret: string, base64Of: (text: string, before: number) => string): string[] => {
  const encoded = encodeURIComponent(secret);
  const base64 = [0, 1, 2].map((before) => base64Of(secret, before));
  return [...new Set([
    secret, inJson(secret), inJson(inJson(secret)), secret.replaceAll('/', '\\/'), encoded, lower(encoded), encodeURIComponent(encoded),
      encoded.replaceAll('%20', '+'),
    secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;'), ...base64, ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
      ...base64.map(encodeURIComponent),
  ])];
};

/** The text of a recording, and what its bodies in Base64 say. */
const textsOf = (recording: string): string[] => [recording, JSON.stringify(JSON.parse(`[${recording.trim().replaceAll('\n', ',')}]`)),
  ...readRecording(recording, 'x').flatMap(({ request, response }) => [request.body, response.body])
    .map((body) => Buffer.from(recordedBytes(body)).toString('latin1'))];

const found = (recording: string, secret: string): string[] => {
  const texts = textsOf(recording);
  return formsOf(secret, innerBase64).filter((form) => texts.some((text) => text.includes(form)));
};

it('there are 200 secrets to plant, each another one', () => {
  expect(plantedSecrets.length).toBeGreaterThanOrEqual(200);
  expect(new Set(plantedSecrets.map(({ secret }) => secret)).size).toBe(plantedSecrets.length);
});

it('a recording has no planted secret, in no form', async () => {
  await everyRow(plantedSecrets, ({ where }) => where, ({ secret, exchanged }) => {
    expect(found(createRecorder(base, randomHex)(exchanged), secret)).toEqual([]);
  });
});

it('a credential that was seen is in no later exchange, in no form', async () => {
  await everyRow(plantedSecrets, ({ where }) => where, ({ secret, exchanged }) => {
    const line = createRecorder(base, randomHex);
    line(exchanged);
    const echo = formsOf(secret, inBase64).map((form) => `echo (${form})`);
    const again = line(exchange({ target: `/api/v4/x?search=${encodeURIComponent(secret)}`, headers: { 'x-echo': inJson(secret) } },
      { body: JSON.stringify({ echo }) }));
    expect(found(again, secret)).toEqual([]);
  });
});

it('one recorder of all planted secrets hides all of them', () => {
  const line = createRecorder(base, randomHex);
  const recording = plantedSecrets.map(({ exchanged }) => line(exchanged)).join('');
  expect(plantedSecrets.filter(({ secret }) => recording.includes(secret)).map(({ where }) => where)).toEqual([]);
});

it('what is redacted is not changed again', async () => {
  await everyRow(plantedSecrets, ({ where }) => where, ({ exchanged: { request } }) => {
    const once = redactRequest({ ...request, body: request.body === undefined ? '' : Buffer.from(request.body).toString('latin1') });
    expect(redactRequest({ ...once, method: request.method })).toEqual(once);
  });
});

it('what is not a secret stays as it is', async () => {
  await everyRow(ordinaryBodies, (body) => body, (body) => {
    const line = createRecorder(base, randomHex);
    const headers = { 'content-type': 'application/json' };
    const [one] = readRecording(line(exchange({ method: 'POST', headers, body }, { body })), 'x');
    expect([one!.request.body, one!.response.body]).toEqual([body, body]);
  });
});

it('a client that plants a secret finds its request again in the recording', async () => {
  await everyRow(plantedSecrets, ({ where }) => where, async ({ exchanged: { request, ...exchanged } }) => {
    const exchanges = readRecording(createRecorder(base, randomHex)({ ...exchanged, request }), 'x');
    const front = replayingProxy({ exchanges, strict: true })({ address: () => base, now: () => new Date(0), timer: () => 0 });
    const { status } = await front.around(async () => ({ status: 599, headers: {}, body: '' }))(request);
    expect(status).toBe(exchanged.response.status);
  });
});

import { expect, test } from 'vitest';
import { sendHook } from '../../../src/server/hooks/send.js';
import { receiver } from '../../support/receiver.js';

const to = (url: string) => ({ url: new URL(url), headers: {}, body: '{}', verifiesCertificate: true });
const { signal } = new AbortController();

test.each(['http://192.0.2.1/', 'http://[2001:db8::1]/', 'http://0.0.0.0/'])('%s is not sent to', async (url) => {
  await expect(sendHook(to(url), false, signal)).rejects.toThrow('is not a loopback address');
});

test('a name is sent to where it resolves to loopback', async () => {
  const bot = await receiver();
  const { status } = await sendHook(to(bot.url.replace('127.0.0.1', 'localhost')), false, signal);
  await bot.close();
  expect([status, bot.received.length]).toEqual([200, 1]);
});

test('an abort ends a delivery', async () => {
  const bot = await receiver(() => 'nothing');
  const controller = new AbortController();
  const sending = sendHook(to(bot.url), false, controller.signal);
  controller.abort();
  await expect(sending).rejects.toThrow();
  await bot.close();
});

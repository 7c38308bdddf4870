import type { LookupAddress } from 'node:dns';
import { expect, test, vi } from 'vitest';
import { sendHook } from '../../../src/server/hooks/send.js';
import { receiver } from '../../support/receiver.js';

vi.mock(import('node:dns'), async (original) => {
  const dns = await original();
  const addresses: Readonly<Record<string, LookupAddress[]>> = {
    'moved.localhost': [{ address: '192.0.2.1', family: 4 }],
    'both.localhost': [{ address: '127.0.0.1', family: 4 }, { address: '10.1.2.3', family: 4 }],
    'none.localhost': [],
  };
  const lookup = ((host: string, options: object, callback: (error: Error | null, found: LookupAddress[]) => void) => {
    const known = addresses[host];
    if (known) callback(null, known);
    else dns.lookup(host, { ...options, all: true }, callback);
  }) as typeof dns.lookup;
  return { ...dns, lookup, default: { ...dns, lookup } };
});

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

test.each([['moved', '192.0.2.1'], ['both', '10.1.2.3'], ['none', 'none.localhost']])(
  'a name that resolves elsewhere by now is not sent to: %s', async (name, address) => {
    await expect(sendHook(to(`http://${name}.localhost:9/`), false, signal)).rejects.toThrow(`${address} is not a loopback address`);
  });

test('an abort ends a delivery', async () => {
  const bot = await receiver(() => 'nothing');
  const controller = new AbortController();
  const sending = sendHook(to(bot.url), false, controller.signal);
  controller.abort();
  await expect(sending).rejects.toThrow();
  await bot.close();
});

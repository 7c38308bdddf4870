import type { LookupAddress } from 'node:dns';
import { expect, test, vi } from 'vitest';
import { sendHook } from '../../../src/server/hooks/send.js';
import { receiver } from '../../support/receiver.js';
import { everyRow } from '../../support/rows.js';
import { testService } from '../../support/service.js';
import { acme } from '../../support/worlds.js';

/** The names of all lookups. On Linux, 0.0.0.0 connects to this machine, though it is not a loopback address. */
const lookups = vi.hoisted((): string[] => []);

vi.mock(import('node:dns'), async (original) => {
  const dns = await original();
  const addresses: Readonly<Record<string, LookupAddress[]>> = {
    'moved.localhost': [{ address: '192.0.2.1', family: 4 }],
    'both.localhost': [{ address: '127.0.0.1', family: 4 }, { address: '10.1.2.3', family: 4 }],
    'none.localhost': [],
  };
  const elsewhere: LookupAddress[] = [{ address: '0.0.0.0', family: 4 }];
  const here: LookupAddress[] = [{ address: '127.0.0.1', family: 4 }];
  const found = (host: string): LookupAddress[] | undefined => {
    const name = host.toLowerCase();
    if (name.startsWith('turns.')) return lookups.filter((one) => one === host).length > 1 ? elsewhere : here;
    if (name === 'localhost.') return here;
    if (name.startsWith('mixed.')) return [...here, ...elsewhere];
    return name.startsWith('evil.') ? elsewhere : addresses[host];
  };
  const lookup = ((host: string, options: object, callback: (error: Error | null, found: LookupAddress[]) => void) => {
    lookups.push(host);
    const known = found(host);
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

/** After one note, by the host of the webhook: the status of the delivery, or why there was no response. */
const outcomesOf = async (hosts: readonly string[], allowHooksTo: readonly string[] = []) => {
  const bot = await receiver();
  const port = new URL(bot.url).port;
  const hooks = hosts.map((host) => ({ url: `http://${host}:${port}/`, token: 'secret', events: ['note' as const] }));
  const [app, ...others] = acme.projects!;
  const service = await testService({ world: { ...acme, projects: [{ ...app, hooks }, ...others] }, allowHooksTo });
  const comment = async () => {
    const { length } = await service.service.deliveries();
    await service.post('/projects/20/issues/1/notes', { json: { body: 'hello' } });
    await vi.waitFor(async () => { expect(await service.service.deliveries()).toHaveLength(length + hosts.length); }, { timeout: 30_000 });
    const found = (await service.service.deliveries()).slice(length).toSorted((a, b) => a.hook - b.hook);
    return new Map(hosts.map((host, i) => [host, found[i]!.status ?? found[i]!.error]));
  };
  return { comment, received: bot.received, close: bot.close };
};

test('every spelling of a loopback address is delivered to', async () => {
  const hosts = ['127.0.0.1', '127.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.0.0.1.', '[::ffff:127.0.0.1]', 'LocalHost', 'localhost.'];
  const { comment, close } = await outcomesOf(hosts);
  const outcomes = await comment();
  await everyRow(hosts, (host) => host, (host) => { expect(outcomes.get(host)).toBe(200); });
  await close();
});

test('no secret leaves for an address that is not loopback, however a webhook spells it', async () => {
  const hosts = [
    'evil.localhost', 'evil.localhost.', 'EVIL.LocalHost', 'evil.a.localhost', 'mixed.localhost', 'evil.test', '0.0.0.0', '0', '0x0', '000.0',
    '[::]', '[::ffff:0.0.0.0]', '[::ffff:0:0]', '0.0.0.0.',
  ];
  const { comment, received, close } = await outcomesOf(hosts);
  const outcomes = await comment();
  await everyRow(hosts, (host) => host, (host) => { expect(outcomes.get(host)).toContain('is not a loopback address'); });
  expect(received).toEqual([]);
  await close();
});

test('a name is looked up once for each delivery, which connects to the address that was checked', async () => {
  const { comment, received, close } = await outcomesOf(['turns.localhost']);
  expect([...(await comment()).values()]).toEqual([200]);
  expect([...(await comment()).values()]).toEqual(['0.0.0.0 is not a loopback address; allow its host with --allow-hooks-to']);
  expect([received.length, lookups.filter((name) => name === 'turns.localhost').length]).toEqual([1, 2]);
  await close();
});

test('a host that the server allows is delivered to, and a name that resolves to it is not', async () => {
  const { comment, close } = await outcomesOf(['0.0.0.0', '0', '[::ffff:0.0.0.0]', 'evil.localhost'], ['0.0.0.0']);
  expect([...(await comment()).values()]).toEqual([200, 200, ...Array<unknown>(2).fill(expect.stringContaining('is not a loopback address'))]);
  await close();
});

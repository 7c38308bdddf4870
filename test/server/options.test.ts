import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/client.js';
import { backupStore, faultsFrom, openService, startServer, type BackupOptions, type ServerOptions } from '../../src/server/index.js';

describe('options of a server', () => {
  it.each<[object | null, string]>([
    [{ tier: 'gold' }, 'the option tier is "gold"; pass "free" or "premium" or "ultimate"'],
    [{ serviceVersion: 12.7 }, 'the option serviceVersion is the number 12.7; pass a version as a text, such as "12.7"'],
    [{ wrold: {} }, 'unknown option "wrold"; did you mean world?'],
    [{ verbose: true }, 'unknown option "verbose"; use one of host, '],
    [null, 'the options are null; pass an object'],
    [{ tls: { crt: 'x', key: 'x' } }, 'unknown option "tls.crt"; did you mean cert?'],
    [{ proxy: { ulr: 'http://a.example' } }, 'unknown option "proxy.ulr"; did you mean url?'],
    [{ replay: { exchanges: [], onRepley: () => undefined } }, 'unknown option "replay.onRepley"; did you mean onReplay?'],
    [{ replay: { exchanges: [], strict: 'yes' } }, 'the option replay.strict is "yes"; pass true or false'],
    [{ replay: {} }, 'the option replay.exchanges is missing; pass the list of recordingFrom'],
    [{ replay: { exchanges: Promise.resolve([]) } }, 'the option replay.exchanges is a promise; await it'],
    [{ replay: Promise.resolve([]) }, 'the option replay is a promise; await it'],
    [{ replay: [] }, 'the option replay is a list; pass an object'],
    [{ replay: { exchanges: '[]' } }, 'the option replay.exchanges is an invalid text; pass the list of recordingFrom'],
    [{ port: '80' }, 'the option port is "80"; pass a port from 0 to 65535'],
    [{ routes: [{ on: 'GET /x', handel: () => ({}) }] }, 'invalid route "GET /x": unknown option "handel"; did you mean handle?'],
    [{ port: 70_000 }, 'the option port is the number 70000; pass a port from 0 to 65535'],
    [{ seed: '1' }, 'the option seed is "1"; pass a whole number from 0'],
    [{ allowedHosts: 'a.example' }, 'the option allowedHosts is an invalid text; pass a list of strings'],
  ])('are named in the error: %j', async (options, message) => {
    for (const open of [openService, startServer]) {
      await expect(open(options as ServerOptions)).rejects.toThrow(TypeError);
      await expect(open(options as ServerOptions)).rejects.toThrow(message);
    }
  });
});

describe('options of other functions of the server', () => {
  it('are named in the error', async () => {
    await expect(backupStore({ file: 'a', traget: 'b' } as unknown as BackupOptions)).rejects
      .toThrow(new TypeError('unknown option "traget"; did you mean target?'));
    await expect(backupStore({ file: 'a' } as BackupOptions)).rejects.toThrow(new TypeError('the option target is missing; pass a text'));
    await expect(faultsFrom('{"rules":[],"sede":7}', 'a.json')).rejects.toMatchObject({ message: 'a.json: unknown key "sede"', hint: 'did you mean seed?' });
    await expect(faultsFrom('{"rules":[],"verbose":7}', 'a.json')).rejects.toMatchObject({ hint: 'use {"seed":7,"rules":[{"on":…,"do":…}]}, in JSON or YAML' });
  });
});

it('a service that was closed says so', async () => {
  const service = await openService();
  const client = createClient({ url: 'http://test', token: 'ada-token', transport: service.handle });
  await client.lookups.user();
  await service.close();
  await expect(client.lookups.user()).rejects.toThrow(new Error('the service is closed'));
  await expect(service.fetch(new Request('http://test/api/v4/user'))).rejects.toThrow('the service is closed');
});

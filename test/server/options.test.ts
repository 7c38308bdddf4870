import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/client.js';
import {
  backupStore, faultsFrom, imitationFrom, openService, recordingFrom, startServer, type BackupOptions, type ServerOptions, type World,
  type WorldError,
} from '../../src/server/index.js';
import { everyRow } from '../support/rows.js';

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
    [{ replay: [] }, 'the option replay is a list; pass { exchanges: await recordingFrom(text, path) }'],
    [{ replay: 'a.ndjson' }, 'the option replay is a text; pass { exchanges: await recordingFrom(text, path) }'],
    [{ replay: { exchanges: ['a.ndjson'] } }, 'the option replay.exchanges is a list; pass the list of recordingFrom'],
    [{ replay: { exchanges: [{ request: {} }] } }, 'the option replay.exchanges is a list; pass the list of recordingFrom'],
    [{ like: 'a.yaml' }, 'the option like is a text; pass await imitationFrom(text, path)'],
    [{ proxy: 'http://a.example' }, 'the option proxy is a text; pass an object with url'],
    [{ proxy: {} }, 'the option proxy.url is missing; pass the base of an http or https URL'],
    [{ faults: '* => status 500' }, 'the option faults is a text; pass a list of fault rules'],
    [{ faults: { rules: [] } }, 'the option faults is an object; pass a list of fault rules'],
    [{ externalUrl: 'a.example' }, 'the option externalUrl is a text; pass the base of an http or https URL, such as https://gitlab.example.com'],
    [{ externalUrl: 'mailto:ada@a.example' }, 'the option externalUrl is a text; pass the base of an http or https URL'],
    [{ externalUrl: 'https://ada:secret@a.example' }, 'the option externalUrl is a text; pass the base of an http or https URL'],
    [{ externalUrl: 'https://a.example/?page=1' }, 'the option externalUrl is a text; pass the base of an http or https URL'],
    [{ proxy: { url: 'a.example', transport: () => undefined } }, 'the option proxy.url is a text; pass the base of an http or https URL'],
    [{ proxy: { url: 'http://a.example' } }, 'the option proxy.transport is missing; pass a function'],
    [{ replay: { exchanges: '[]' } }, 'the option replay.exchanges is a text; pass the list of recordingFrom'],
    [{ port: '80' }, 'the option port is "80"; pass a port from 0 to 65535'],
    [{ routes: [{ on: 'GET /x', handel: () => ({}) }] }, 'invalid route "GET /x": unknown option "handel"; did you mean handle?'],
    [{ host: '' }, 'the option host is an empty text; pass a host as a text, such as 127.0.0.1'],
    [{ port: 70_000 }, 'the option port is the number 70000; pass a port from 0 to 65535'],
    [{ seed: '1' }, 'the option seed is "1"; pass a whole number from 0'],
    [{ allowedHosts: 'a.example' }, 'the option allowedHosts is a text; pass a list of strings'],
  ])('are named in the error: %j', async (options, message) => {
    for (const open of [openService, startServer]) {
      await expect(open(options as ServerOptions)).rejects.toThrow(TypeError);
      await expect(open(options as ServerOptions)).rejects.toThrow(message);
    }
  });
});

it('links of a server have one slash after an external URL that ends with slashes', async () => {
  const service = await openService({ externalUrl: 'https://a.example/base//' });
  const { body } = await service.handle({ method: 'GET', target: '/api/v4/user', headers: { 'private-token': 'ada-token' } });
  expect(JSON.parse(String(body))).toMatchObject({ web_url: 'https://a.example/base/ada' });
  await service.close();
});

describe('options of other functions of the server', () => {
  it('are named in the error', async () => {
    await expect(backupStore({ file: 'a', traget: 'b' } as unknown as BackupOptions)).rejects
      .toThrow(new TypeError('unknown option "traget"; did you mean target?'));
    await expect(backupStore({ file: 'a' } as BackupOptions)).rejects.toThrow(new TypeError('the option target is missing; pass a text'));
    await expect(faultsFrom('{"rules":[],"sede":7}', 'a.json')).rejects
      .toMatchObject({ message: 'a.json: unknown key "sede"; did you mean seed?', hint: 'did you mean seed?' });
    await expect(faultsFrom('{"rules":[],"verbose":7}', 'a.json')).rejects.toMatchObject({ hint: 'use {"seed":7,"rules":[{"on":…,"do":…}]}, in JSON or YAML' });
  });
});

it('the content of a file is expected where its path is given, or something else', async () => {
  const readers: Record<string, (text: string, source: string) => Promise<unknown>> = { recordingFrom, faultsFrom, imitationFrom };
  await everyRow(Object.entries(readers), ([name]) => name, async ([, read]) => {
    await expect(read('dir/a.ndjson', 'x')).rejects
      .toThrow(new TypeError('the text is a path, not the content of a file; pass await readFile("dir/a.ndjson", "utf8")'));
    for (const given of [undefined, Buffer.from('{}'), Promise.resolve('{}'), ['{}']]) {
      await expect(read(given as unknown as string, 'x')).rejects
        .toThrow(new TypeError('the content of a file is not a text; pass await readFile(path, "utf8")'));
    }
  });
  await expect(recordingFrom('', 'a.ndjson')).rejects.toThrow('a.ndjson has no exchanges');
  await expect(faultsFrom('rules: []', 'a.yaml')).resolves.toEqual({ rules: [] });
  await expect(faultsFrom('["notes.*.create=>drop"]', 'a.json')).resolves.toEqual({ rules: ['notes.*.create=>drop'] });
});

it('the hint of an error is in its message too, after what is wrong', async () => {
  const rows: readonly (readonly [() => Promise<unknown>, string, Partial<WorldError>])[] = [
    [() => openService({ world: { usres: [] } as World }), 'unknown key "usres" in the world; did you mean users?', { hint: 'did you mean users?' }],
    [() => openService({ world: { usres: [], gruops: [] } as World }), 'unknown key "usres" in the world (and 1 more); did you mean users?', {}],
    [() => openService({ world: 'none.yaml' }), 'none.yaml: no such file; check the path', { reason: 'no such file' }],
    [() => openService({ world: [] as World }), 'the world must be an object, not a list', { hint: null }],
    [() => openService({ world: new URL(import.meta.url) as World }), 'the world must be an object, not a URL', {}],
    [() => openService().then((service) => service.setWorld(new URL('file:///w') as World).finally(() => { void service.close(); })),
      'the world must be an object, not a URL', {}],
    [() => openService().then((service) => service.setWorld(undefined as unknown as World).finally(() => { void service.close(); })),
      'the world must be an object, not undefined', {}],
    [() => openService({ faults: ['* => statsu 500'] }), 'fault rule 1, do: unknown fault "statsu 500"; did you mean status?; use one of: ', {}],
    [() => openService({ now: 'soon' }), 'invalid time "soon"; use ', {}],
    [() => openService({ data: '/none/at/all.db' }), '/none/at/all.db cannot be created: there is no folder /none/at; create the folder first', {}],
    [() => recordingFrom('{\n', 'a.ndjson'), 'a.ndjson:1: not JSON; use a file of ', {}],
  ];
  await everyRow(rows, ([, message]) => message, async ([act, message, fields]) => {
    const error: unknown = await act().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: expect.stringContaining(message) as string, ...fields });
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

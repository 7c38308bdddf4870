import { describe, expect, it } from 'vitest';
import type { GlobalFlags } from '../../../../../src/cli/command-line/flags.js';
import { printRequest, printRequests, type ShownRequest } from '../../../../../src/cli/service/connection/dry-run.js';
import { testApp, type WorldOptions } from '../../../../support/app.js';

const note: ShownRequest = { method: 'POST', url: 'http://a.example/api/v4/x', headers: { accept: 'application/json' }, body: { body: 'hi' } };
const removal: ShownRequest = { method: 'DELETE', url: 'http://a.example/api/v4/x/1', headers: {}, body: null };
const text: ShownRequest = { ...removal, method: 'PUT', body: 'plain\x1b[2J' };

type App = Awaited<ReturnType<typeof testApp>>['app'];
const printed = async (options: WorldOptions, print: (app: App) => Promise<void>) => {
  const { app } = await testApp(options);
  let out = '';
  await print({ ...app, out: { ...app.out, write: async (part) => { out += part; } } });
  return out;
};
const one = (request: ShownRequest, flags: GlobalFlags = {}, options: WorldOptions = {}) =>
  printed(options, (app) => printRequest(request, app, flags));
const several = (requests: readonly ShownRequest[], flags: GlobalFlags = {}) => printed({}, (app) => printRequests(requests, app, flags));

const noteText = 'POST http://a.example/api/v4/x\naccept: application/json\n\n{\n  "body": "hi"\n}\n';
const removalText = 'DELETE http://a.example/api/v4/x/1\n';

describe('a request that was not sent', () => {
  it('is shown as HTTP, with an indented body', async () => {
    expect(await one(note)).toBe(noteText);
    expect(await one(removal)).toBe(removalText);
  });

  it.each(['table', 'csv', 'tsv', 'markdown', 'id'] as const)('is shown as HTTP with -o %s too', async (output) => {
    expect(await one(removal, { output })).toBe(removalText);
  });

  it('never acts on a terminal', async () => {
    expect(await one(text, {}, { terminal: true })).toBe('PUT http://a.example/api/v4/x/1\n\nplain\\u001b[2J\n');
  });

  it('is one value in JSON and YAML, and for jq', async () => {
    expect(JSON.parse(await one(note, { json: '' }))).toEqual(note);
    expect(await one(removal, { output: 'yaml' })).toBe('method: DELETE\nurl: http://a.example/api/v4/x/1\nheaders: {}\nbody: null\n');
    expect(await one(note, { jq: '.body.body' })).toBe('hi\n');
  });
});

describe('several requests', () => {
  it('are shown as HTTP with an empty line between them', async () => {
    expect(await several([note, removal])).toBe(`${noteText}\n${removalText}`);
    expect(await several([])).toBe('');
  });

  it('are one array in JSON, and lines as ndjson', async () => {
    expect(JSON.parse(await several([note, removal], { json: '' }))).toEqual([note, removal]);
    expect((await several([note, removal], { output: 'ndjson' })).trimEnd().split('\n').map((line) => JSON.parse(line) as unknown)).toEqual([note, removal]);
    expect(await several([note, removal], { jq: 'map(.method) | join(" ")' })).toBe('POST DELETE\n');
  });
});

import { describe, expect, it } from 'vitest';
import type { HttpRequest, HttpResponse } from '../../../../../src/wire/http.js';
import { json } from '../../../../support/answers.js';
import { testApp, type WorldOptions } from '../../../../support/app.js';
import { testService } from '../../../../support/service.js';

const create = ['discussions', 'create', '!1', '--file', 'app.js:2'];

/** A service that changes the position of every new thread before it stores it; undefined drops it. */
const changing = async (change: (position: object) => object | undefined) => {
  const service = await testService();
  const handle = async (request: HttpRequest): Promise<HttpResponse> => {
    if (request.method !== 'POST') return service.handle(request);
    const { position, ...others } = JSON.parse(String(request.body)) as { position: object };
    return service.handle({ ...request, body: JSON.stringify({ ...others, position: change(position) }) });
  };
  return { ...service, handle };
};

const world = async (change: (position: object) => object | undefined, options: WorldOptions = {}) =>
  testApp({ ...options, service: await changing(change) });

it.each([
  ['a new line', 'app.js:2', 'old_path'], ['a removed line', 'app.js:old:2', 'new_path'],
  ['a file', 'app.js', 'old_path'], ['a file', 'app.js', 'new_path'],
])('a position on %s whose other path the service does not store is as it was sent', async (_, file, path) => {
  const service = await testService({ dialect: 'live' });
  const answer = async (request: HttpRequest): Promise<HttpResponse> => {
    const response = await service.handle(request);
    if (!request.target.includes('/discussions')) return response;
    return { ...response, body: String(response.body).replaceAll(new RegExp(`"${path}":"app.js"`, 'g'), `"${path}":null`) };
  };
  expect(await (await testApp({ answer })).run('discussions', 'create', '!1', '--file', file, '-m', 'text')).toMatchObject({ code: 0 });
});

it('reports a note on a file whose paths the service does not store', async () => {
  const service = await testService({ dialect: 'live' });
  const answer = async (request: HttpRequest): Promise<HttpResponse> => {
    const response = await service.handle(request);
    if (!request.target.includes('/discussions')) return response;
    return { ...response, body: String(response.body).replaceAll(/"(old|new)_path":"app.js"/g, '"$1_path":null') };
  };
  expect((await (await testApp({ answer })).run('discussions', 'create', '!1', '--file', 'app.js', '-m', 'text')).code).toBe(1);
});

describe('a position that the service drops', () => {
  it('is an error that names the note and the command that removes it', async () => {
    const { run } = await world(() => undefined);
    const { code, out, err } = await run(...create, '-m', 'text');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe('colloquy: the service stored note 141 of mr/1 without its position at app.js:2\n'
      + 'remove it with `colloquy notes delete mr/1 141`, or accept such notes with --if-unanchored general\n');
    expect((await run('notes', 'delete', 'mr/1', '141', '--yes')).code).toBe(0);
  });

  it('is an error of `notes add` too', async () => {
    const { run } = await world(() => undefined);
    expect(await run('notes', 'add', '!1', '--file', 'app.js:2', '-m', 'text')).toMatchObject({
      code: 1, err: expect.stringContaining('without its position') as string });
  });

  it('leaves no draft behind, because the text is stored', async () => {
    const { run, drafts } = await world(() => undefined, { stdin: 'text' });
    expect((await run(...create)).code).toBe(1);
    expect(drafts.size).toBe(0);
  });

  it('is accepted with --if-unanchored general, with a message', async () => {
    const { run } = await world(() => undefined);
    const { code, err } = await run(...create, '-m', 'text', '--if-unanchored', 'general');
    expect(code).toBe(0);
    expect(err).toContain('the service stored note 141 of mr/1 without its position at app.js:2\n');
  });
});

it('reports a note that the service stored on another line', async () => {
  const { run } = await world((position) => ({ ...position, new_line: 1, old_line: 1 }));
  expect(await run(...create, '-m', 'text', '--if-unanchored', 'general')).toMatchObject({
    code: 1, err: expect.stringContaining('the service stored note 141 of mr/1 at app.js:1, not at app.js:2') as string });
});

it('reads the thread back if the response has no position', async () => {
  const service = await testService();
  const withoutPosition = async (request: HttpRequest): Promise<HttpResponse> => {
    const response = await service.handle(request);
    if (request.method !== 'POST') return response;
    const { notes: [note], ...thread } = JSON.parse(String(response.body)) as { notes: object[] };
    return json(201, { ...thread, notes: [{ ...note, position: undefined }] });
  };
  const { run } = await testApp({ service: { ...service, handle: withoutPosition } });
  const { code, sent } = await run(...create, '-m', 'text');
  expect({ code, last: sent.at(-1)!.method }).toEqual({ code: 0, last: 'GET' });
});

it('sends no further request if the response has the position', async () => {
  const { run } = await testApp();
  expect((await run(...create, '-m', 'text')).sent.at(-1)!.method).toBe('POST');
});

import { describe, expect, it } from 'vitest';
import { changeAppearance } from '../../../src/cli/appearance/change.js';
import type { AppearanceChanges } from '../../../src/cli/appearance/values.js';
import { openAppearance, readLiveAppearance } from '../../../src/cli/appearance/live.js';
import type { HttpRequest, HttpResponse } from '../../../src/wire/http.js';
import { json } from '../../support/answers.js';
import { otherPng, png } from '../../support/appearance.js';
import { testApp, type WorldOptions } from '../../support/app.js';
import { testService } from '../../support/service.js';

const root: WorldOptions = { env: { COLLOQUY_TOKEN: 'root-token' } };
const logo = { filename: 'logo.png', bytes: png, content_type: 'image/png' };

const changedIn = async (options: WorldOptions, changes: AppearanceChanges) => {
  const world = await testApp({ ...root, ...options });
  const service = await openAppearance(world.app, {});
  const before = await readLiveAppearance(service);
  return changeAppearance(service, { command: 'appearance apply', before, changes, verify: 'read back' });
};

/** A service that answers some requests itself, after the real one handled them. */
const answeringAfter = async (
  answer: (request: HttpRequest, count: number) => HttpResponse | undefined,
): Promise<WorldOptions> => {
  const service = await testService();
  let count = 0;
  return { service: { ...service, handle: async (request) => {
    const real = await service.handle(request);
    return answer(request, ++count) ?? real;
  } } };
};

describe('a change of the appearance', () => {
  it('is one request, after which all changed fields and images are read', async () => {
    const world = await testApp(root);
    const service = await openAppearance(world.app, {});
    const before = await readLiveAppearance(service);
    const requests: string[] = [];
    const { handle } = world.service;
    Object.assign(world.service, { handle: async (request: HttpRequest) => { requests.push(request.method); return handle(request); } });
    const after = await changeAppearance(service, { command: 'x', before, changes: { title: 'T', logo }, verify: 'read back' });
    expect(requests).toEqual(['PUT', 'GET', 'GET']);
    expect(after.fields.title).toBe('T');
    expect(Buffer.from(after.images.logo!.bytes!).equals(png)).toBe(true);
  });

  it('fails if the appearance that is read has another text, and names the field', async () => {
    const options = await answeringAfter(({ method }, count) => method === 'GET' && count > 1
      ? json(200, { title: 'Other', description: '', logo: null, header_logo: null, favicon: null, header_message: 'H' }) : undefined);
    await expect(changedIn(options, { title: 'T', header_message: 'H' }))
      .rejects.toMatchObject({ code: 'failure', message: 'the service reported success, but title is "Other"' });
  });

  it('is read again if the service first returns an older state', async () => {
    const old = { title: 'Old', description: '', logo: null, header_logo: null, favicon: null };
    const options = await answeringAfter(({ method }, count) => method === 'GET' && count === 3 ? json(200, old) : undefined);
    expect((await changedIn(options, { title: 'T' })).fields.title).toBe('T');
  });

  it('fails if it cannot be read back, and says that it may be stored', async () => {
    const options = await answeringAfter(({ method }, count) => method === 'GET' && count > 1 ? json(403, { message: '403 Forbidden' }) : undefined);
    await expect(changedIn(options, { title: 'T' })).rejects.toMatchObject({ code: 'unavailable',
      message: 'the service reported success, but the appearance cannot be read back: the service denied access (HTTP 403)' });
  });

  it('fails if the service serves other bytes than were uploaded', async () => {
    const options = await answeringAfter(({ target }) => target.startsWith('/uploads/')
      ? { status: 200, headers: { 'content-type': 'image/png' }, body: otherPng('x') } : undefined);
    await expect(changedIn(options, { logo })).rejects.toThrow(/but logo is another image, \/uploads\//);
  });

  it.each([500, 502, 504])('succeeds if it is stored, although the response is HTTP %i', async (status) => {
    const options = await answeringAfter(({ method }) => method === 'PUT' ? json(status, { message: 'later' }) : undefined);
    expect((await changedIn({ ...options, time: instantTime }, { title: 'T', logo })).fields.title).toBe('T');
  });

  it('fails with the error of the service if it is not stored', async () => {
    const answer = ({ method }: HttpRequest) => method === 'PUT' ? json(500, { message: 'broken' }) : undefined;
    await expect(changedIn({ answer }, { title: 'T' })).rejects.toMatchObject({ status: 500 });
  });
});

const instantTime = { now: () => 0, sleep: async () => undefined, random: () => 0 };

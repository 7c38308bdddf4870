import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../src/wire/http.js';
import { json } from '../../support/answers.js';
import { otherPng, png } from '../../support/appearance.js';
import { testApp } from '../../support/app.js';
import { images, multipart } from '../../support/images.js';
import { testService, type TestService } from '../../support/service.js';

const env = { COLLOQUY_TOKEN: 'root-token' };
const imageNames = ['logo', 'header_logo', 'favicon'] as const;

/** All fields of a service, with the bytes of its images instead of their addresses. */
const stateOf = async (service: TestService): Promise<Record<string, unknown>> => {
  const { body } = await service.get<Record<string, unknown>>('/application/appearance', { as: 'root' });
  const bytes = await Promise.all(imageNames.map(async (field) => {
    if (typeof body[field] !== 'string') return [field, null];
    const stored = await service.handle({ method: 'GET', target: body[field], headers: {} });
    return [field, Buffer.from(stored.body).toString('base64')];
  }));
  return { ...body, ...Object.fromEntries(bytes) as object };
};

/** How many changes of the appearance a service received. */
const changesOf = async (service: TestService): Promise<number> =>
  (await service.get<unknown[]>('/-/requests?method=PUT', { as: null })).body.length;

const text = fc.oneof(
  fc.constant(''), fc.string({ unit: 'grapheme' }), fc.constantFrom('# Hi\n\nthere\n', '  a\n b  \n\n\n', 'yes', '1.0', '\ttab\n', 'x: y # z', "it's", '"q"'),
  fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 5 }).map((lines) => lines.join('\n')),
).filter((value) => !value.includes('\0'));
const color = fc.constantFrom('', '#fff', '#E75E40', '#8b1f2b');
const logo = fc.constantFrom(null, png, images.jpg, images.svg, images.gif, otherPng('a'), otherPng('b'));
const appearance = fc.record({
  title: text, description: text, new_project_guidelines: text, profile_image_guidelines: text, header_message: text, footer_message: text,
  message_background_color: color, message_font_color: color, email_header_and_footer_enabled: fc.boolean(),
});
const pictures = fc.record({ logo, header_logo: logo, favicon: fc.constantFrom(null, png, images.ico) });

/** A service with this appearance. */
const serviceWith = async (fields: object, bytes: Readonly<Record<string, Buffer | null>>): Promise<TestService> => {
  const service = await testService();
  expect((await service.put('/application/appearance', { as: 'root', json: fields })).status).toBe(200);
  const files = Object.entries(bytes).flatMap(([field, content]) => content ? [[field, [field === 'favicon' ? 'f.png' : 'l', content]] as const] : []);
  if (files.length > 0) expect((await service.put('/application/appearance', { as: 'root', ...multipart(Object.fromEntries(files)) })).status).toBe(200);
  return service;
};

describe('an exported appearance', () => {
  it.each([['files'], ['data URIs']])('applied to a new service gives the same appearance, with images as %s', async (form) => {
    await fc.assert(fc.asyncProperty(appearance, pictures, async (fields, bytes) => {
      const [from, to] = [await testApp({ env, service: await serviceWith(fields, bytes) }), await testApp({ env })];
      const exported = await from.run('appearance', 'export', form === 'files' ? 'a.yaml' : '-');
      expect(exported).toMatchObject({ code: 0 });
      if (form !== 'files') from.files.set('a.yaml', exported.out);
      for (const [path, content] of from.files) to.files.set(path, content);

      const applied = await to.run('appearance', 'apply', 'a.yaml', '--yes');
      expect(applied, applied.err).toMatchObject({ code: 0 });
      expect(await stateOf(to.service)).toEqual(await stateOf(from.service));
      const sent = await changesOf(to.service);
      expect(sent).toBeLessThanOrEqual(1);

      expect(await to.run('appearance', 'apply', 'a.yaml', '--yes')).toMatchObject({ code: 0, err: 'nothing changed\n' });
      expect(await changesOf(to.service)).toBe(sent);
      expect(await to.run('appearance', 'diff', 'a.yaml')).toMatchObject({ code: 0, out: '' });
      expect((await to.run('appearance', 'export')).out).toBe((await from.run('appearance', 'export')).out);
      if (form === 'files') expect(await to.run('appearance', 'export', 'a.yaml')).toMatchObject({ code: 0, err: 'nothing changed\n' });
      await Promise.all([from.service.close(), to.service.close()]);
    }), { numRuns: 25 });
  }, 60_000);

  it('saved as a plan and applied gives the same appearance', async () => {
    await fc.assert(fc.asyncProperty(appearance, pictures, async (fields, bytes) => {
      const [from, to] = [await testApp({ env, service: await serviceWith(fields, bytes) }), await testApp({ env })];
      to.files.set('a.yaml', (await from.run('appearance', 'export')).out);
      expect(await to.run('appearance', 'apply', 'a.yaml', '--save-plan', 'plan.json')).toMatchObject({ code: 0 });
      expect(await changesOf(to.service)).toBe(0);
      expect(await to.run('appearance', 'apply', 'plan.json', '--yes')).toMatchObject({ code: 0 });
      expect(await stateOf(to.service)).toEqual(await stateOf(from.service));
      await Promise.all([from.service.close(), to.service.close()]);
    }), { numRuns: 15 });
  }, 60_000);
});

describe('a fault at any request of apply', () => {
  const withoutWaits = { now: Date.now, random: () => 0, sleep: async () => undefined };
  const former = { title: 'Old', footer_message: 'Bye', email_header_and_footer_enabled: true };
  const files = { 'a.yaml': 'title: New\ndescription: |\n  one\n  two\nlogo: new.png\n', 'new.png': otherPng('new') };
  const apply = ['appearance', 'apply', 'a.yaml', '--yes'];
  const world = async () => {
    const service = await serviceWith(former, { logo: png, favicon: images.ico });
    return { service, before: await stateOf(service), app: await testApp({ env, service, files, time: withoutWaits }) };
  };
  const actions = ['reset', 'reset after', 'status 500', 'status 500 after', 'status 403', 'html 200', 'truncate', 'garble', 'late 1'];
  /** The request for the appearance, the change, the request that verifies it, and one more. */
  const places = [0, 1, 2, 3];

  it.each(actions.flatMap((action) => [[action, 1], [action, 1_000]] as const))(
    'leaves a state from which undo and apply go on: %s, %i times', async (action, times) => {
      for (const skip of places) {
        const { service, before, app } = await world();
        await service.faults([{ on: '*', do: action, times, skip }]);
        const { code, err } = await app.run(...apply, ...(times === 1 ? ['--retries', '0'] : []));
        await service.faults([]);
        const after = await stateOf(service);
        const isChanged = after['title'] === 'New';
        if (code === 0) expect(isChanged, `${skip}: ${err}`).toBe(true);
        if (!isChanged) expect(after).toEqual(before);
        const undone = await app.run('appearance', 'undo', '--yes');
        expect(await stateOf(service), `${skip}: ${err}\n${undone.err}`).toEqual(before);
        expect(await app.run(...apply)).toMatchObject({ code: 0 });
        expect(await stateOf(service)).toMatchObject({ title: 'New', description: 'one\ntwo\n', logo: otherPng('new').toString('base64') });
        await service.close();
      }
    }, 60_000);

  it.each([0, 1, 2])('for an image is reported, or the change is not verified: request %i for an image', async (place) => {
    const { service } = await world();
    let count = 0;
    const answer = ({ target }: HttpRequest) => target.startsWith('/uploads/') && count++ === place ? json(500, {}) : undefined;
    const app = await testApp({ env, service, files, time: withoutWaits, answer });
    const { code, err } = await app.run(...apply, '--retries', '0');
    expect(code).toBe(0);
    expect(count).toBeGreaterThan(place);
    expect(err).toContain(['logo: /uploads/-/system/appearance/logo/1/l (not read) → new.png', 'changed 3 fields', 'cannot verify the content of logo'][place]);
    expect((await stateOf(service))['title']).toBe('New');
  });
});

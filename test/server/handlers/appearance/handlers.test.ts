import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClient } from '../../../../src/client/client.js';
import type { Appearance } from '../../../../src/contract/appearance.js';
import type { World } from '../../../../src/server/world-file/schema.js';
import type { Transport } from '../../../../src/wire/http.js';
import { images, multipart } from '../../../support/images.js';
import { testService, type Sent, type TestService } from '../../../support/service.js';

const path = '/application/appearance';
const as = 'root';
let service: TestService;
beforeEach(async () => { service = await testService(); });
afterEach(() => service.close());

const put = (sent: Sent = {}) => service.put<Appearance>(path, { as, ...sent });

const fresh = {
  title: '', description: '', logo: null, header_logo: null, favicon: null, new_project_guidelines: '',
  profile_image_guidelines: '', header_message: '', footer_message: '', message_background_color: '#E75E40',
  message_font_color: '#FFFFFF', email_header_and_footer_enabled: false,
};

test('a fresh instance shows the defaults', async () => {
  const { status, body, text } = await service.get(path, { as });
  expect(status).toBe(200);
  expect(body).toEqual(fresh);
  expect(text).toMatch(/^\{"title":"","description":"","logo":null,"header_logo":null,"favicon":null,/);
});

test('the live dialect has the fields of newer versions too, as nobody has set them', async () => {
  await service.close();
  service = await testService({ dialect: 'live' });
  const newer = { pwa_name: '', pwa_short_name: '', pwa_description: '', pwa_icon: null, member_guidelines: '' };
  expect((await service.get(path, { as })).body).toEqual({ ...fresh, ...newer });
  expect((await put({ json: { title: 'Title' } })).body).toEqual({ ...fresh, ...newer, title: 'Title' });
});

test('only administrators read or change it, and that is checked before the parameters', async () => {
  expect((await service.get(path, { as: 'owner' })).body).toEqual({ message: '403 Forbidden' });
  const refused = await service.put(path, { as: 'owner', json: { email_header_and_footer_enabled: 'maybe' } });
  expect([refused.status, refused.body]).toEqual([403, { message: '403 Forbidden' }]);
  expect((await service.put(path, { as: null, json: {} })).body).toEqual({ message: '401 Unauthorized' });
});

test('all texts, colors and the switch can be changed at once; the response is the whole appearance', async () => {
  const changes = {
    title: 'Title', description: '*text*', new_project_guidelines: 'guide', profile_image_guidelines: 'faces', header_message: 'up',
    footer_message: 'down', message_background_color: '#abc', message_font_color: '#Ab12eF', email_header_and_footer_enabled: true,
  };
  const { status, body } = await put({ json: changes });
  expect([status, body]).toEqual([200, { ...fresh, ...changes }]);
  expect((await service.get(path, { as })).body).toEqual({ ...fresh, ...changes });
});

test('what is left out stays', async () => {
  await put({ json: { title: 'Title', header_message: 'up' } });
  expect((await put({ form: { title: 'Other' } })).body).toEqual({ ...fresh, title: 'Other', header_message: 'up' });
  expect((await put()).body).toEqual({ ...fresh, title: 'Other', header_message: 'up' });
});

test('an empty text clears, also a color', async () => {
  await put({ json: { title: 'Title', message_font_color: '#123456' } });
  const { body } = await put({ form: { title: '', message_font_color: '' } });
  expect(body).toEqual({ ...fresh, message_font_color: '' });
});

test('null leaves a text, a switch and an image as they are', async () => {
  await put({ json: { title: 'Title', email_header_and_footer_enabled: true } });
  const { status, body } = await put({ json: { title: null, email_header_and_footer_enabled: null, logo: null } });
  expect([status, body]).toEqual([200, { ...fresh, title: 'Title', email_header_and_footer_enabled: true }]);
});

test('a blank switch stays as it is and "off" switches it off', async () => {
  await put({ form: { email_header_and_footer_enabled: 'on' } });
  const blank = await put({ form: { email_header_and_footer_enabled: '' } });
  expect(blank.body.email_header_and_footer_enabled).toBe(true);
  const off = await put({ form: { email_header_and_footer_enabled: 'off' } });
  expect(off.body.email_header_and_footer_enabled).toBe(false);
});

test('a color is # with 3 or 6 hexadecimal digits', async () => {
  for (const wrong of ['red', '#12', '#1234', '#12345g', '123456', '#1234567', 'x#123']) {
    const { status, body } = await put({ json: { message_font_color: wrong } });
    expect([wrong, status, body]).toEqual([wrong, 400, { message: { message_font_color: ['must be a valid color code'] } }]);
  }
});

test('profile image guidelines have 4,096 characters at most, counted as characters', async () => {
  const { status, body } = await put({ json: { profile_image_guidelines: 'x'.repeat(4097) } });
  expect([status, body]).toEqual([400, { message: { profile_image_guidelines: ['is too long (maximum is 4096 characters)'] } }]);
  expect((await put({ json: { profile_image_guidelines: '😀'.repeat(4096) } })).status).toBe(200);
});

test('everything that is wrong is named at once, and nothing is changed then', async () => {
  const { status, body } = await put(multipart({
    title: 'Title', message_background_color: 'red', message_font_color: 'blue', profile_image_guidelines: 'x'.repeat(5000),
    logo: ['logo.png', images.png], favicon: ['icon.svg', images.svg],
  }));
  expect(status).toBe(400);
  expect(body).toEqual({ message: {
    message_background_color: ['must be a valid color code'],
    message_font_color: ['must be a valid color code'],
    profile_image_guidelines: ['is too long (maximum is 4096 characters)'],
    favicon: ['You are not allowed to upload "svg" files, allowed types: png, ico'],
  } });
  expect((await service.get(path, { as })).body).toEqual(fresh);
  expect((await service.get('/uploads/-/system/appearance/logo/1/logo.png', { as })).status).toBe(404);
});

test('text in place of a file and an invalid switch are rejected by name', async () => {
  const { status, body } = await put({ json: { title: 'x', logo: 'logo.png', email_header_and_footer_enabled: 'maybe' } });
  expect([status, body]).toEqual([400, { error: 'logo is invalid, email_header_and_footer_enabled is invalid' }]);
  expect((await put({ form: { logo: '' } })).body).toEqual({ error: 'logo is invalid' });
});

test('three images and a text ride in one form, and the images are served byte for byte', async () => {
  const { status, body } = await put(multipart({
    title: 'Pictures', logo: ['logo.png', images.png], header_logo: ['head.gif', images.gif], favicon: ['favicon.ico', images.ico],
  }));
  expect(status).toBe(200);
  expect(body).toEqual({
    ...fresh, title: 'Pictures', logo: '/uploads/-/system/appearance/logo/1/logo.png',
    header_logo: '/uploads/-/system/appearance/header_logo/1/head.gif',
    favicon: '/uploads/-/system/appearance/favicon/1/favicon.ico',
  });
  const logo = await service.get(body.logo!, { as: null });
  expect([logo.status, logo.headers['content-type']]).toEqual([200, 'image/png']);
  expect(Buffer.from(logo.text, 'latin1').equals(images.png)).toBe(true);
  expect((await service.get(body.favicon!, { as: null })).headers['content-type']).toBe('image/vnd.microsoft.icon');
});

test('a new image replaces the previous one, whose path is then 404', async () => {
  await put(multipart({ logo: ['one.png', images.png] }));
  const { body } = await put(multipart({ logo: ['two.jpg', images.jpg] }));
  expect(body.logo).toBe('/uploads/-/system/appearance/logo/1/two.jpg');
  expect((await service.get('/uploads/-/system/appearance/logo/1/one.png', { as })).status).toBe(404);
  expect((await service.get(body.logo!, { as })).headers['content-type']).toBe('image/jpeg');
});

test('paths around a stored image lead nowhere', async () => {
  await put(multipart({ logo: ['a.png', images.png] }));
  const start = '/uploads/-/system/appearance';
  for (const wrong of ['logo/2/a.png', 'logo/1/b.png', 'header_logo/1/a.png', 'logo/1/', 'logo/1', 'logo/1/x/../a.png', 'logo/1/a.png/']) {
    expect([wrong, (await service.get(`${start}/${wrong}`, { as })).status]).toEqual([wrong, 404]);
  }
});

test.each([
  ['lögo.png', 'l%C3%B6go.png'], ['логотип.png', '%D0%BB%D0%BE%D0%B3%D0%BE%D1%82%D0%B8%D0%BF.png'],
  ['a\\"b.png', 'a_b.png'], ['a%22b.png', 'a_b.png'], ['l%C3%B6go.png', 'l%C3%B6go.png'], ['50%.png', '50_.png'], ['%zz%41.png', '_zz_41.png'],
  ['..%2f..%2fx.png', 'x.png'], ['a%00b.png', 'a_b.png'], ['1+1.png', '1+1.png'],
])('a file called %s is stored and served under its percent-encoded path', async (name, last) => {
  const { body } = await put(multipart({ logo: [name, images.png] }));
  expect(body.logo).toBe(`/uploads/-/system/appearance/logo/1/${last}`);
  expect((await service.get<Appearance>(path, { as })).body.logo).toBe(body.logo);
  for (const spelled of [body.logo!, body.logo!.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase())]) {
    const served = await service.get(spelled, { as: null });
    expect([served.status, Buffer.from(served.text, 'latin1').equals(images.png)]).toEqual([200, true]);
    expect(served.headers['content-disposition']).toBe(`inline; filename*=UTF-8''${last.replace('+', '%2B')}`);
  }
});

test.each(['lögo.png', 'логотип.png', 'a"b.png', "it's;.png", '1+1 (2).png', 'a\\b.png'])(
  'a file called %s is kept under one name, whoever sends it', async (filename) => {
    const form = new FormData();
    form.append('logo', new File([images.png], filename));
    const fetched = new Response(form);
    const byFetch = await put({ headers: { 'content-type': fetched.headers.get('content-type')! }, body: new Uint8Array(await fetched.arrayBuffer()) });
    const transport: Transport = (request) => service.handle(request);
    const client = createClient({ url: 'http://service.test', token: 'root-token', transport });
    const byClient = await client.appearance.set({ logo: { filename, bytes: images.png } });
    expect(byClient.logo).toBe(byFetch.body.logo);
    const kept = filename.replace(/^.*\\/, '').replace(/[^\p{L}\d.+]/gu, '_');
    expect(decodeURI(byClient.logo!)).toBe(`/uploads/-/system/appearance/logo/1/${kept}`);
  });

test('an image under a name of any script is in the dumped world, and in the one that is loaded from it', async () => {
  const { body } = await put(multipart({ logo: ['логотип.png', images.png] }));
  const dumped = await service.get<World>('/-/world');
  expect(dumped.body.appearance!.logo).toMatchObject({ file_name: 'логотип.png' });
  expect((await service.call('PUT', '/-/world', { json: dumped.body })).status).toBe(204);
  expect((await service.get<Appearance>(path, { as })).body).toEqual(body);
  expect((await service.get(body.logo!, { as: null })).status).toBe(200);
  expect((await service.get('/-/world')).body).toEqual(dumped.body);
});

test('a file name travels without folders and odd characters, and is shortened', async () => {
  const named = async (name: string) => (await put(multipart({ logo: [name, images.png] }))).body.logo;
  const start = '/uploads/-/system/appearance/logo/1/';
  expect(await named('../../etc/pass wd&.png')).toBe(`${start}pass_wd_.png`);
  expect(await named('...')).toBe(`${start}_...`);
  expect(await named(`${'n'.repeat(300)}.png`)).toBe(`${start}${'n'.repeat(251)}.png`);
});

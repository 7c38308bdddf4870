import { describe, expect, it } from 'vitest';
import { flagName } from '../../../../src/cli/command-line/flags.js';
import { readLimitedFile } from '../../../../src/cli/terminal/io/files.js';
import { contract } from '../../../../src/contract/contract.js';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { json } from '../../../support/answers.js';
import { ran, ranIn, testApp, type WorldOptions } from '../../../support/app.js';
import { everyRow } from '../../../support/rows.js';
import { testService } from '../../../support/service.js';

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const root: WorldOptions = {
  env: { COLLOQUY_TOKEN: 'root-token' },
  files: { 'img/my logo.png': png, 'welcome.md': '# Hi\n\nthere\n', 'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>' },
};

const set = (...flags: string[]) => ranIn(root, 'appearance', 'set', ...flags);
const put = (sent: readonly HttpRequest[]) => sent.find(({ method }) => method === 'PUT');
const body = (sent: readonly HttpRequest[]) => JSON.parse(String(put(sent)!.body)) as unknown;

describe('appearance set', () => {
  it('sends no field that the service does not have, also from a saved plan', async () => {
    const [old, newer] = await Promise.all(['12.10', '13.0'].map((serviceVersion) => testService({ serviceVersion })));
    const world = await testApp({ ...root, service: newer!, files: { 'a.yaml': 'title: A\nprofile_image_guidelines: x\n' } });
    await world.run('appearance', 'apply', 'a.yaml', '--save-plan', 'plan.json');
    const refused = await testApp({ ...root, service: old!, files: { 'plan.json': world.files.get('plan.json')! } });
    const change = ['--title', 'A', '--profile-image-guidelines', 'x'];
    for (const [words, name] of [[['set', ...change], '--profile-image-guidelines'], [['apply', 'plan.json', '--yes'], 'profile_image_guidelines']] as const) {
      const { code, err, sent } = await refused.run('appearance', ...words);
      expect({ code, err, methods: sent.map(({ method }) => method) }).toEqual({ code: 2, methods: expect.not.arrayContaining(['PUT']) as unknown,
        err: `colloquy: the service does not have the field profile_image_guidelines\nomit ${name}, or update the service\n` });
    }
  });

  it('sends the given texts and prints the result', async () => {
    const { code, out, err, sent } = await set('--title', 'Acme', '--header-message', 'Hi', '--message-font-color', '#fff');
    expect(code).toBe(0);
    expect(put(sent)!.target).toBe('/api/v4/application/appearance');
    expect(body(sent)).toEqual({ title: 'Acme', header_message: 'Hi', message_font_color: '#fff' });
    expect(out).toBe('title\tAcme\nheader_message\tHi\nmessage_font_color\t#fff\n');
    expect((await set('--title', 'Acme', '-o', 'tsv')).out).toContain('\nfooter_message\t');
    expect(err).toBe('+ title: (empty) → "Acme"\n+ header_message: (empty) → "Hi"\n'
      + '~ message_font_color: "#FFFFFF" → "#fff"\nchanged 3 fields on http://service.test\n');
  });

  it('has a flag for every parameter of the contract', async () => {
    const { out } = await ran('appearance', 'set', '--help');
    for (const field of Object.keys(contract.appearance.set.params)) expect(out).toContain(`--${flagName(field)} `);
  });

  it.each([[[], true], [['=true'], true], [['=false'], false]])('parses --email-header-and-footer%j as %j', async (value, sent) => {
    const world = await testApp(root);
    await world.run('appearance', 'set', `--email-header-and-footer=${!sent}`);
    const result = await world.run('appearance', 'set', `--email-header-and-footer${value.join('')}`);
    expect(body(result.sent)).toEqual({ email_header_and_footer_enabled: sent });
    expect(result.err).toBe(`~ email_header_and_footer_enabled: ${!sent} → ${sent}\nchanged 1 field on http://service.test\n`);
  });

  it('rejects other boolean values', async () => {
    expect(await set('--email-header-and-footer=maybe')).toMatchObject({ code: 2, sent: [] });
  });

  it('reads long texts from files and standard input', async () => {
    expect(body((await set('--description-file', 'welcome.md')).sent)).toEqual({ description: '# Hi\n\nthere\n' });
    const piped = await ranIn({ ...root, stdin: 'soon' }, 'appearance', 'set', '--footer-message-file', '-');
    expect(body(piped.sent)).toEqual({ footer_message: 'soon' });
    expect(await set('--description', 'a', '--description-file', 'welcome.md')).toMatchObject({ code: 2, sent: [] });
  });

  it('hides the values of secret variables in texts of files and standard input', async () => {
    const options = { env: { ...root.env, DEPLOY_TOKEN: 'secret/12' }, files: { 'a.md': 'a secret/12' }, stdin: 'a secret/12' };
    for (const [path, name] of [['a.md', 'a.md'], ['-', 'standard input']] as const) {
      const { err, sent } = await ranIn(options, 'appearance', 'set', '--description-file', path);
      expect(body(sent)).toEqual({ description: 'a [masked]' });
      expect(err).toContain(`masked the values of secret variables in ${name}\n`);
    }
    expect(body((await ranIn(options, 'appearance', 'set', '--title', 'secret/12')).sent)).toEqual({ title: 'secret/12' });
  });

  it('uploads all images in one form, with their names and types', async () => {
    const { code, sent, out } = await set('--logo', 'img/my logo.png', '--header-logo', 'icon.svg', '--favicon', 'img/my logo.png', '--title', 'T');
    expect(code).toBe(0);
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'PUT']);
    const form = Buffer.from(sent[1]!.body as Uint8Array).toString('latin1');
    expect(sent[1]!.headers['content-type']).toMatch(/^multipart\/form-data/);
    expect(form).toContain('name="logo"; filename="my logo.png"\r\nContent-Type: image/png');
    expect(form).toContain('name="header_logo"; filename="icon.svg"\r\nContent-Type: image/svg+xml');
    expect(form).toContain('name="favicon"; filename="my logo.png"');
    expect(out).toMatch(/logo\t\/uploads\/\S+my_logo\.png\n/);
  });

  it('fails when the service accepts an image but does not store it', async () => {
    const appearance = { title: '', description: '', logo: null, header_logo: null, favicon: null };
    const { code, out, err } = await ranIn({ ...root, answer: () => json(200, appearance) }, 'appearance', 'set', '--logo', 'icon.svg');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('reported success, but logo is not set');
  });

  it.each(['lögo.png', 'логотип.png', 'a"b.png', '100%.png', 'my logo (1).PNG', '..png'])(
    'accepts an image named %s, whatever name the service gives it', async (name) => {
      const world = { ...root, files: { [name]: png } };
      const { code, err } = await ranIn(world, 'appearance', 'set', '--logo', name);
      expect({ code, err }).toEqual({ code: 0, err: `+ logo: (empty) → ${name} (70 bytes, sha256 6b7fa434)\nchanged 1 field on http://service.test\n` });
    });

  /** A service that stores images where `value` says, and the content it serves there. */
  const storing = (before: string | null, after: string, stored: Uint8Array | number): WorldOptions => ({
    ...root, answer: ({ method, target }) => {
      const appearance = { title: '', description: '', logo: method === 'PUT' ? after : before, header_logo: null, favicon: null };
      if (target.endsWith('/appearance')) return json(200, appearance);
      return typeof stored === 'number' ? json(stored, {}) : { status: 200, headers: { 'content-type': 'image/png' }, body: stored };
    },
  });
  const other = Buffer.from('another image');
  const [name, cdn] = ['/uploads/-/system/appearance/logo/1/x.png', 'https://cdn.test/1/x.png?v=2'];

  it.each<[string, WorldOptions]>([
    ['under another name', storing(null, '/uploads/-/system/appearance/logo/1/100%.png', other)],
    ['on another host', storing(name, cdn, other)],
    ['at the previous path on another host', storing(cdn, cdn, other)],
    ['at the previous path', storing(name, name, png)],
    ['at the previous path, which cannot be fetched', storing(name, name, 404)],
    ['at the previous path, named after the file', storing('/1/my%20logo.png', '/1/my%20logo.png', other)],
    ['but does not return the previous one', { ...storing(null, name, other), answer: (request) => request.method === 'GET'
      ? json(403, { message: '403 Forbidden' }) : storing(null, name, other).answer!(request) }],
  ])('succeeds when the service stores the image %s', async (_, world) => {
    expect(await ranIn(world, 'appearance', 'set', '--logo', 'img/my logo.png')).toMatchObject({ code: 0 });
  });

  it('fails when the service still serves the previous image', async () => {
    const { code, err } = await ranIn(storing(name, name, other), 'appearance', 'set', '--logo', 'img/my logo.png');
    expect(code).toBe(1);
    expect(err).toContain(`reported success, but logo is ${name}`);
  });

  it('says so when the service serves the previous image, but may have made it again from a file of that name', async () => {
    const message = 'cannot verify the content of logo: the service serves the same image as before\n';
    const path = '/1/my%20logo.png';
    const kept = await ranIn(storing(path, path, other), 'appearance', 'set', '--logo', 'img/my logo.png');
    expect(kept).toMatchObject({ code: 0, err: expect.stringContaining(message) as string });
    let stored = other;
    const encoding: WorldOptions = { ...root, answer: (request) => {
      if (request.method === 'PUT') stored = Buffer.from('encoded again');
      return storing(path, path, stored).answer!(request);
    } };
    const encoded = await ranIn(encoding, 'appearance', 'set', '--logo', 'img/my logo.png');
    expect(encoded).toMatchObject({ code: 0, err: expect.not.stringContaining(message) as string });
  });

  it('does nothing without a flag or with a missing file', async () => {
    expect(await set()).toMatchObject({ code: 2, sent: [] });
    expect(await set('--logo', 'missing.png')).toMatchObject({ code: 2, sent: [] });
    for (const path of ['/dev/zero', '/proc/self/environ']) {
      const world = await testApp(root);
      Object.assign(world.app.files, { readLimited: readLimitedFile });
      expect(await world.run('appearance', 'set', '--logo', path)).toMatchObject({ code: 2, out: '', sent: [] });
    }
  });

  it('prints the object as JSON and two columns on a terminal', async () => {
    expect((await set('--title', 'A', '--json=title')).out).toBe('{"title":"A"}\n');
    expect(await ranIn({ ...root, terminal: true }, 'appearance', 'set', '--title', 'A')).toMatchObject({
      out: 'http://service.test/\n', err: '+ title: (empty) → "A"\nchanged 1 field on http://service.test\n' });
    expect((await ranIn({ ...root, terminal: true }, 'appearance', 'set', '--title', 'A', '-o', 'table')).out).toMatch(/^title {28}A\n/);
  });

  it.each([[{}], [{ terminal: true }]])('sends nothing if no value differs: %j', async (options) => {
    const world = await testApp({ ...root, ...options });
    await world.run('appearance', 'set', '--title', 'A', '--email-header-and-footer');
    const { code, out, err, sent } = await world.run('appearance', 'set', '--title', 'A', '--email-header-and-footer', '--footer-message', '');
    expect({ code, err }).toEqual({ code: 0, err: 'nothing changed\n' });
    expect((await world.run('appearance', 'set', '--title', 'A', '-n')).err).toBe('nothing would change\n');
    expect(out).toBe('terminal' in options ? 'http://service.test/\n' : '');
    expect(sent.map(({ method }) => method)).toEqual(['GET']);
  });

  it('sends no image that the service has already', async () => {
    const world = await testApp(root);
    await world.run('appearance', 'set', '--logo', 'img/my logo.png');
    expect(await world.run('appearance', 'set', '--logo', 'img/my logo.png')).toMatchObject({ code: 0, err: 'nothing changed\n' });
    const other = await world.run('appearance', 'set', '--logo', 'icon.svg');
    expect(other.err).toMatch(
      /^~ logo: \/uploads\/\S+my_logo.png \(\d+ bytes, sha256 \w{8}\) → icon.svg \(\d+ bytes, sha256 \w{8}\)\nchanged 1 field on \S+\n$/);
  });

  it('shows the lines of long texts that change, without control characters', async () => {
    const world = await testApp(root);
    const long = 'word '.repeat(50).trim();
    await world.run('appearance', 'set', '--description', `one\n${long}\nthree`);
    const { err } = await world.run('appearance', 'set', '--description', `one\n${long} \x1b[2J\nthree`, '--title', 'A');
    expect(err).toBe(`+ title: (empty) → "A"\n~ description:\n      one\n    - ${long}\n    + ${long} \\u001b[2J\n      three\n`
      + 'changed 2 fields on http://service.test\n');
  });

  it('names the flags by kind if none is given', async () => {
    const { code, err } = await set();
    expect(code).toBe(2);
    expect(err).toMatch(/given\npass at least one of:\n {2}images: --logo .*\n {2}colors: --\S+ --\S+\n {2}others: --title .*\n$/);
  });

  it('says that the old values are unknown if the service does not return them', async () => {
    const answer = ({ method }: HttpRequest) => method === 'GET' ? json(403, { message: '403 Forbidden' }) : undefined;
    expect(await ranIn({ ...root, answer }, 'appearance', 'set', '--title', 'A')).toMatchObject({
      code: 0, err: '~ title: (unknown) → "A"\nchanged 1 field on http://service.test\n' });
  });

  it.each(['e24329', 'fff', 'E24329ff'])('names the form of a color without #: %s', async (color) => {
    const { code, err, sent } = await set('--message-background-color', color);
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(err).toContain(`write it with #, in quotes: --message-background-color '#${color}'`);
  });

  it.each<[string[], string]>([
    [['--message-font-color', '#12345'], 'invalid color "#12345" for --message-font-color'],
    [['--favicon', 'icon.svg'], 'icon.svg for favicon is not named .png or .ico'],
    [['--logo', 'big.png'], 'big.png for logo has 1048646 bytes, more than 1048576'],
    [['--logo', 'empty.png'], 'empty.png for logo is empty'],
    [['--profile-image-guidelines', 'x'.repeat(4_097)], 'profile_image_guidelines has 4097 characters, more than 4096'],
  ])('sends nothing if the service would reject a value: %#', async (flags, message) => {
    const files = { ...root.files, 'big.png': Buffer.concat([png, Buffer.alloc(1_048_576)]), 'empty.png': '' };
    const { code, err, sent } = await ranIn({ ...root, files }, 'appearance', 'set', ...flags);
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(err).toContain(message);
  });

  it('reports all values that the service would reject', async () => {
    const { err } = await set('--message-font-color', '#1', '--message-background-color', '#2');
    expect(err).toMatch(/^colloquy: 2 values cannot be set\n {2}invalid color "#2" for --message-background-color; .*\n {2}invalid color "#1"/);
  });

  it('warns about low contrast with the other live color, which --strict makes an error', async () => {
    const warning = 'the contrast of font color #eee on background color #E75E40 is 2.98, below 4.5';
    expect(await set('--message-font-color', '#eee')).toMatchObject({
      code: 0, err: expect.stringContaining(`warning: ${warning}; choose colors that everybody can read\n`) as string });
    const strict = await set('--message-font-color', '#eee', '--strict');
    expect(strict).toMatchObject({ code: 2, err: `colloquy: ${warning}\nchoose colors that everybody can read\n` });
    expect(put(strict.sent)).toBeUndefined();
  });

  it('shows files by name and size in a dry run', async () => {
    const { out, err, sent } = await set('--logo', 'img/my logo.png', '--title', 'T', '-n', '--json');
    expect(sent.map(({ method }) => method)).toEqual(['GET']);
    expect(err).toBe('+ title: (empty) → "T"\n+ logo: (empty) → my logo.png (70 bytes, sha256 6b7fa434)\nwould change 2 fields on http://service.test\n');
    expect((JSON.parse(out) as { body: unknown }).body).toEqual({
      title: 'T', logo: { filename: 'my logo.png', content_type: 'image/png', bytes: png.length } });
  });

  it('changes an appearance whose colors are null, or no text', async () => {
    const service = await testService();
    const document = { 'a.yaml': 'message_font_color: "#123456"\n' };
    const changes = [
      ['set', '--header-message', 'Hi'], ['set', '--message-font-color', '#fff'], ['banner', 'Hi', '--yes'], ['diff', 'a.yaml'],
      ['apply', 'a.yaml', '--yes'],
    ];
    await everyRow(changes.flatMap((words) => [null, 5, {}, []].map((color) => ({ words, color }))), JSON.stringify, async ({ words, color }) => {
      const answer = async (request: HttpRequest) => {
        const response = await service.handle(request);
        const odd = { ...JSON.parse(String(response.body)) as object, message_background_color: color };
        return request.method === 'GET' ? json(200, odd) : response;
      };
      const { code, err } = await ranIn({ ...root, service, files: document, answer }, 'appearance', ...words);
      expect(code, err).toBe(words[0] === 'diff' ? 8 : 0);
    });
  });

  it('prints the service\'s message when it rejects the change', async () => {
    expect(await set('--message-font-color', 'red')).toMatchObject({
      code: 7, err: expect.stringContaining('message_font_color must be a valid color code') as string });
    expect(await ran('appearance', 'set', '--title', 'x')).toMatchObject({ code: 5 });
  });
});

import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { otherPng, png, sha256 } from '../../../support/appearance.js';
import { testApp, type WorldOptions } from '../../../support/app.js';
import { images, multipart } from '../../../support/images.js';
import { testService } from '../../../support/service.js';

const root: WorldOptions = { env: { COLLOQUY_TOKEN: 'root-token' } };
const puts = (sent: readonly HttpRequest[]) => sent.filter(({ method }) => method === 'PUT');

/** An app with a document as `a.yaml` and images beside it. */
const appWith = (yaml: string, options: WorldOptions = {}) =>
  testApp({ ...root, ...options, files: { 'a.yaml': yaml, 'logo.png': png, ...options.files } });

describe('appearance apply', () => {
  it('shows the plan, sends one request, and verifies it by reading the appearance again', async () => {
    const world = await appWith('title: Acme\nheader_message: ""\nfooter_message: Bye\nlogo: logo.png\n');
    const { code, out, err, sent } = await world.run('appearance', 'apply', 'a.yaml', '--yes', '--json=title,footer_message');
    expect({ code, out }).toEqual({ code: 0, out: '{"title":"Acme","footer_message":"Bye"}\n' });
    expect(err).toBe(`+ title: (empty) → "Acme"\n+ logo: (empty) → logo.png (70 bytes, sha256 ${sha256(png).slice(0, 8)})\n`
      + '+ footer_message: (empty) → "Bye"\nchanged 3 fields on http://service.test\n');
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'PUT', 'GET', 'GET']);
  });

  it('prints the changed fields in a pipe, and all in a format', async () => {
    const run = async (...flags: string[]) => (await appWith('title: Acme\n')).run('appearance', 'apply', 'a.yaml', '--yes', ...flags);
    expect((await run()).out).toBe('title\tAcme\n');
    expect(JSON.parse((await run('--json')).out)).toHaveProperty('footer_message');
  });

  it('prints the saved plan with --json, also in a dry run', async () => {
    const world = await appWith('title: Acme\n');
    const save = async (...words: string[]) => (await world.run('appearance', 'apply', 'a.yaml', '--save-plan', 'plan.json', ...words)).out;
    const dry = await save('--json', '--dry-run');
    expect(world.files.has('plan.json')).toBe(false);
    const out = await save('--json');
    expect(JSON.parse(out)).toEqual(JSON.parse(String(world.files.get('plan.json'))));
    expect(JSON.parse(dry)).toEqual(JSON.parse(out));
    expect(await save('--yes')).toBe('');
  });

  it('hides the values of secret variables of a document and a plan', async () => {
    const options = { env: { ...root.env, DEPLOY_TOKEN: 'secret/12' } };
    const planning = await appWith('title: a secret/12\n');
    await planning.run('appearance', 'apply', 'a.yaml', '--save-plan', 'plan.json');
    const plan = planning.files.get('plan.json')!;
    for (const [path, files] of [['a.yaml', {}], ['plan.json', { 'plan.json': plan }]] as const) {
      const { err, out } = await (await appWith('title: a secret/12\n', { ...options, files })).run('appearance', 'apply', path, '--yes');
      expect(out).toBe('title\ta [masked]\n');
      expect(err).toContain(`masked the values of secret variables in ${path}\n`);
    }
    expect((await (await appWith('title: a secret/12\n', options)).run('appearance', 'diff', 'a.yaml')).out).toContain('a [masked]');
  });

  it('masks no paths of images and no places of problems', async () => {
    const options = { env: { ...root.env, PROJECT_KEY: 'secret/12' }, files: { 'secret/12/logo.png': png, 'secret/12/a.yaml': 'titel: x\n' } };
    const world = await appWith('logo: secret/12/logo.png\n', options);
    expect(await world.run('appearance', 'apply', 'a.yaml', '--yes')).toMatchObject({ code: 0, err: expect.not.stringContaining('mask') as string });
    expect((await world.run('appearance', 'apply', 'secret/12/a.yaml', '--yes')).err).toContain('colloquy: secret/12/a.yaml:1:1: unknown field "titel"');
  });

  it('sends nothing the second time', async () => {
    const world = await appWith('title: Acme\nlogo: logo.png\nemail_header_and_footer_enabled: true\n');
    await world.run('appearance', 'apply', 'a.yaml', '--yes');
    const { code, err, sent } = await world.run('appearance', 'apply', 'a.yaml');
    expect({ code, err, puts: puts(sent) }).toEqual({ code: 0, err: 'nothing changed\n', puts: [] });
    expect(await world.run('appearance', 'apply', 'a.yaml', '-n')).toMatchObject({ code: 0, err: 'nothing would change\n' });
  });

  it('verifies images on the demo service of --sandbox too', async () => {
    const world = await appWith('title: Acme\nlogo: logo.png\n');
    const { code, out } = await world.run('appearance', 'apply', 'a.yaml', '--yes', '--sandbox', '--json=title');
    expect({ code, out }).toEqual({ code: 0, out: '{"title":"Acme"}\n' });
    expect((await world.run('appearance', 'get', '--sandbox', '--json=title')).out).toBe('{"title":"Colloquy"}\n');
  });

  it('asks at a terminal and needs --yes elsewhere', async () => {
    const pipe = await (await appWith('title: Acme')).run('appearance', 'apply', 'a.yaml');
    expect(pipe).toMatchObject({ code: 2, err: expect.stringContaining('refusing to change 1 field on http://service.test without confirmation') as string });
    expect(puts(pipe.sent)).toEqual([]);
    const declining = await appWith('title: Acme', { terminal: true, answers: [false] });
    expect(await declining.run('appearance', 'apply', 'a.yaml')).toMatchObject({ code: 3 });
    expect(declining.asked).toEqual(['Change 1 field on http://service.test?']);
  });

  it('refuses if the appearance changes while it asks', async () => {
    const service = await testService();
    const world = await testApp({ ...root, service, terminal: true, files: { 'a.yaml': 'title: Acme' } });
    const confirm = async () => {
      await service.put('/application/appearance', { as: 'root', json: { title: 'Other' } });
      return true;
    };
    Object.assign(world.app.ask, { confirm });
    const { code, err, sent } = await world.run('appearance', 'apply', 'a.yaml');
    expect({ code, puts: puts(sent) }).toEqual({ code: 1, puts: [] });
    expect(err).toContain('the appearance has changed since it was shown; nothing was sent\n  title: was (empty), is now "Other"');
  });

  it('prints the request in a dry run', async () => {
    const { code, out, err } = await (await appWith('title: Acme')).run('appearance', 'apply', 'a.yaml', '-n', '--json');
    expect({ code, err }).toEqual({ code: 0, err: '+ title: (empty) → "Acme"\nwould change 1 field on http://service.test\n' });
    expect(JSON.parse(out)).toMatchObject({ method: 'PUT', body: { title: 'Acme' } });
  });

  it('rejects values that the service would reject before it sends anything', async () => {
    const { code, err, sent } = await (await appWith('message_font_color: fff\nlogo: big.png\n', {
      files: { 'big.png': Buffer.concat([png, Buffer.alloc(1_048_576)]) },
    })).run('appearance', 'apply', 'a.yaml', '--yes');
    expect({ code, puts: puts(sent) }).toEqual({ code: 2, puts: [] });
    expect(err).toContain('a.yaml:1:1: invalid color');
    expect(err).toContain("write it with #, in quotes: message_font_color: '#fff'");
  });

  it('checks only images that differ, as the service may have one that browsers do not show', async () => {
    const world = await appWith('');
    const broken = multipart({ logo: ['logo.svg', Buffer.from('<svg>')], favicon: ['icon.png', png.subarray(0, 40)] });
    await world.service.put('/application/appearance', { as: 'root', ...broken });
    await world.run('appearance', 'export', 'live.yaml');
    const exported = String(world.files.get('live.yaml'));
    world.files.set('live.yaml', `title: Acme\n${exported.replace(/^title: .*\n/m, '')}`);
    expect(await world.run('appearance', 'diff', 'live.yaml')).toMatchObject({ code: 8, out: 'title: (empty) → "Acme"\n' });
    expect(await world.run('appearance', 'apply', 'live.yaml', '--yes', '--json=title')).toMatchObject({ code: 0, out: '{"title":"Acme"}\n' });
    world.files.set('other.svg', Buffer.from('<svg><g>'));
    world.files.set('live.yaml', 'logo: other.svg\n');
    expect(await world.run('appearance', 'apply', 'live.yaml', '--yes')).toMatchObject({
      code: 2, err: expect.stringContaining('other.svg for logo is not well-formed XML') as string });
  });

  it('reports warnings, which --strict makes errors', async () => {
    const world = await appWith('message_background_color: "#fff"\n');
    const strict = await world.run('appearance', 'apply', 'a.yaml', '--yes', '--strict');
    expect({ code: strict.code, puts: puts(strict.sent) }).toEqual({ code: 2, puts: [] });
    const { code, err } = await world.run('appearance', 'apply', 'a.yaml', '--yes');
    expect(code).toBe(0);
    expect(err).toContain('warning: the contrast of font color #FFFFFF on background color #fff is 1.00, below 4.5; choose colors');
  });

  it('cannot clear a logo', async () => {
    const world = await appWith('title: Acme\nlogo: ""\n');
    expect(await world.run('appearance', 'apply', 'a.yaml', '--yes')).toMatchObject({ code: 0 });
    await world.run('appearance', 'set', '--logo', 'logo.png');
    const { code, err, sent } = await world.run('appearance', 'apply', 'a.yaml', '--yes');
    expect({ code, puts: puts(sent) }).toEqual({ code: 2, puts: [] });
    expect(err).toContain('a.yaml:2:1: cannot clear logo: the API cannot remove an image');
  });

  it('fails if the service reports success but does not store a text', async () => {
    const answer = ({ method }: HttpRequest) => method === 'PUT'
      ? { status: 200, headers: { 'content-type': 'application/json' }, body: '{"title":"Acme"}' } : undefined;
    const { code, err } = await (await appWith('title: Acme', { answer })).run('appearance', 'apply', 'a.yaml', '--yes');
    expect(code).toBe(1);
    expect(err).toContain('the service reported success, but title is empty');
  });
});

describe('a document', () => {
  it.each([['live'], ['document']] as const)('may be what `appearance get -o yaml` prints, on a service of dialect %s', async (dialect) => {
    const world = await testApp({ ...root, service: await testService({ dialect }), files: { 'logo.png': png } });
    await world.run('appearance', 'set', '--logo', 'logo.png', '--title', 'Acme');
    world.files.set('get.yaml', (await world.run('appearance', 'get', '-o', 'yaml')).out);
    expect(await world.run('appearance', 'apply', 'get.yaml')).toMatchObject({ code: 0, err: 'nothing changed\n' });
    expect(await world.run('appearance', 'diff', 'get.yaml')).toMatchObject({ code: 0, out: '' });
  });

  it('changes the newer fields, which an older service does not have', async () => {
    const newer = await appWith('pwa_name: Acme\nmember_guidelines: Be kind\n', { service: await testService({ dialect: 'live' }) });
    const { code, out } = await newer.run('appearance', 'apply', 'a.yaml', '--yes', '--json=pwa_name,member_guidelines');
    expect({ code, out: JSON.parse(out) as unknown }).toEqual({ code: 0, out: { pwa_name: 'Acme', member_guidelines: 'Be kind' } });
    const world = await appWith('pwa_name: Acme\nmember_guidelines: ""\n');
    expect(await world.run('appearance', 'apply', 'a.yaml')).toMatchObject({
      code: 0, err: 'warning: a.yaml:1:1: pwa_name differs, and cannot be changed through the API; remove the line\nnothing changed\n',
    });
  });

  it('leaves out guidelines for profile images on a service that is too old for them', async () => {
    const service = await testService({ serviceVersion: '12.10' });
    const world = await appWith('title: Acme\nprofile_image_guidelines: Smile\n', { service });
    const { code, out, err } = await world.run('appearance', 'apply', 'a.yaml', '--yes');
    expect({ code, out }).toEqual({ code: 0, out: 'title\tAcme\n' });
    expect(err).toContain('warning: a.yaml:2:1: profile_image_guidelines differs, and cannot be changed through the API; remove the line\n');
  });

  it('may embed images as data URIs', async () => {
    const world = await appWith(`logo: data:image/png;base64,${png.toString('base64')}\nheader_logo: "data:image/svg+xml,%3Csvg/%3E"\n`);
    const { code, out } = await world.run('appearance', 'apply', 'a.yaml', '--yes', '--json');
    expect({ code, out: JSON.parse(out) as unknown }).toMatchObject({ code: 0, out: {
      logo: expect.stringMatching(/\/logo\.[0-9a-f]{8}\.png$/) as string, header_logo: expect.stringMatching(/\.svg$/) as string } });
  });

  it('names images relative to its folder', async () => {
    const world = await testApp({ ...root, files: { 'conf/a.yaml': 'logo: img/l.png\n', 'conf/img/l.png': png } });
    expect(await world.run('appearance', 'apply', 'conf/a.yaml', '--yes')).toMatchObject({ code: 0 });
  });

  it.each([['../l.png'], ['/srv/l.png'], ['/proc/self/environ'], ['img/../../l.png']])(
    'names no image outside its folder, such as %s, unless --allow-outside is given', async (path) => {
      const files = { 'conf/a.yaml': `logo: ${path}\n`, 'l.png': png, '/srv/l.png': png, '/proc/self/environ': 'COLLOQUY_TOKEN=root-token' };
      for (const command of [['apply', '--yes'], ['diff'], ['preview', '--no-open']]) {
        const { code, err, out, sent } = await (await testApp({ ...root, files })).run('appearance', ...command, 'conf/a.yaml');
        expect({ code, out, sent }).toEqual({ code: 2, out: '', sent: [] });
        expect(err).toMatch(/^colloquy: conf\/a\.yaml:1:1: cannot read \S+ for logo: it is outside the folder\nmove the image .*--allow-outside\n$/);
      }
      const allowed = await (await testApp({ ...root, files })).run('appearance', 'apply', 'conf/a.yaml', '--yes', '--allow-outside');
      expect(allowed.code).toBe(path.startsWith('/proc') ? 2 : 0);
      expect(`${allowed.out}${allowed.err}`).not.toContain('root-token');
    });

  it.each([[[]], [['--strict']]])('names images only, which is checked before anything is changed, with %j', async (flags) => {
    const rejected = { code: 2, out: '', puts: [] };
    const tried = async (world: Awaited<ReturnType<typeof appWith>>, ...words: string[]) => {
      const { code, out, sent } = await world.run('appearance', ...words, 'a.yaml', ...flags);
      return { code, out, puts: puts(sent) };
    };
    for (const [name, content] of [['a.txt', 'text'], ['a.svg', 'secret'], ['a.png', png.subarray(0, 50)], ['a.exe', images.exe]] as const) {
      const world = await appWith(`title: Acme\nlogo: ${name}\n`, { files: { [name]: content } });
      expect(await tried(world, 'apply', '--yes'), name).toEqual(rejected);
      expect(await tried(world, 'diff'), name).toEqual(rejected);
    }
    const embedded = await appWith(`logo: "data:image/png;base64,${Buffer.from('secret').toString('base64')}"\n`);
    expect(await tried(embedded, 'apply', '--yes')).toEqual(rejected);
  });

  it('may name an SVG with a script, with a warning', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"><script>x()</script></svg>';
    const world = await appWith('logo: a.svg\n', { files: { 'a.svg': svg } });
    const warning = 'warning: a.svg for logo contains an event handler, a script; remove this, or choose a PNG image\n';
    expect(await world.run('appearance', 'diff', 'a.yaml')).toMatchObject({ code: 8, err: expect.stringContaining(warning) as string });
    expect(await world.run('appearance', 'apply', 'a.yaml', '--yes')).toMatchObject({ code: 0, err: expect.stringContaining(warning) as string });
  });

  it('may come from standard input, and be JSON', async () => {
    const world = await testApp({ ...root, stdin: '{"title":"Acme","logo":null}' });
    expect(await world.run('appearance', 'apply', '-', '--yes', '-q', '.title')).toMatchObject({ code: 0, out: 'Acme\n' });
  });
});

describe('a plan', () => {
  const saved = async (yaml: string, files: WorldOptions['files'] = {}) => {
    const world = await appWith(yaml, { files });
    const result = await world.run('appearance', 'apply', 'a.yaml', '--save-plan', 'plan.json');
    expect(puts(result.sent)).toEqual([]);
    return { ...world, result };
  };

  it('is saved without a request, and applied later with its images', async () => {
    const world = await saved('title: Acme\nlogo: logo.png\n');
    expect(world.result).toMatchObject({ code: 0, out: '',
      err: expect.stringMatching(/\nsaved the plan to plan\.json: would change 2 fields on http:\/\/service\.test\n$/) as string });
    world.files.delete('logo.png');
    const { code, sent } = await world.run('appearance', 'apply', 'plan.json', '--yes');
    expect({ code, puts: puts(sent).length }).toEqual({ code: 0, puts: 1 });
    expect(await world.run('appearance', 'apply', 'plan.json', '--yes')).toMatchObject({ code: 0, err: 'nothing changed\n' });
  });

  it('is rejected if the fields that it touches have changed since, and says which', async () => {
    const world = await saved('title: Acme\nlogo: logo.png\ndescription: x\n');
    world.files.set('other.png', otherPng('x'));
    await world.run('appearance', 'set', '--title', 'Else', '--logo', 'other.png', '--footer-message', 'y');
    const { code, err, sent } = await world.run('appearance', 'apply', 'plan.json', '--yes');
    expect({ code, puts: puts(sent) }).toEqual({ code: 1, puts: [] });
    expect(err).toContain('the appearance has changed since the plan was saved; nothing was sent\n');
    expect(err).toMatch(/\n {2}title: was \(empty\), is now "Else"\n/);
    expect(err).toMatch(/\n {2}logo: was \(empty\), is now \/uploads\S+ \(\d+ bytes, sha256 \w{8}\)\nsave a new plan /);
  });

  it('is applied if other fields have changed since', async () => {
    const world = await saved('title: Acme\n');
    await world.run('appearance', 'set', '--footer-message', 'y');
    expect(await world.run('appearance', 'apply', 'plan.json', '--yes')).toMatchObject({ code: 0 });
  });

  it('is rejected on another instance', async () => {
    const world = await saved('title: Acme\n');
    const { code, err, sent } = await world.run('appearance', 'apply', 'plan.json', '--yes', '--url', 'http://127.0.0.1:8', '--token', 'root-token');
    expect({ code, puts: puts(sent) }).toEqual({ code: 2, puts: [] });
    expect(err).toContain('the plan is for http://service.test, not for http://127.0.0.1:8');
  });

  it('without changes is saved too', async () => {
    const world = await saved('title: ""\n');
    expect(world.result.err).toBe('saved the plan to plan.json: nothing would change\n');
    expect(await world.run('appearance', 'apply', 'plan.json')).toMatchObject({ code: 0, err: 'nothing changed\n' });
  });

  it('does not replace another file without consent', async () => {
    const world = await appWith('title: Acme', { files: { 'plan.json': 'other' } });
    expect(await world.run('appearance', 'apply', 'a.yaml', '--save-plan', 'plan.json')).toMatchObject({
      code: 2, err: expect.stringContaining('refusing to replace plan.json without confirmation') as string });
    expect(await world.run('appearance', 'apply', 'a.yaml', '--save-plan', 'plan.json', '-y')).toMatchObject({ code: 0 });
  });

  it.each([
    ['{"plan": "colloquy appearance", "version": 2}'],
    ['{"plan": "colloquy appearance", "version": 1, "url": null, "changes": [{"field": "titel", "live": "", "wanted": ""}]}'],
    ['{"plan": "colloquy appearance", "version": 1, "url": null, "changes": [{"field": "title", "live": "", "wanted": true}]}'],
    ['{"plan": "colloquy appearance", "version": 1, "url": null, "changes": [{"field": "logo", "live": "", "wanted": "x"}]}'],
    [`{"plan": "colloquy appearance", "version": 1, "url": null, "changes": [{"field": "logo", "live": null,
      "wanted": {"filename": "l.png", "base64": "c2VjcmV0"}}]}`],
    ['{"plan": '],
  ])('that is damaged is rejected: %s', async (text) => {
    const world = await testApp({ ...root, files: { p: text } });
    expect(await world.run('appearance', 'apply', 'p')).toMatchObject({ code: 2, sent: [] });
  });
});

it('a favicon that is a program is rejected, whatever its name is', async () => {
  const world = await appWith('favicon: a.png\n', { files: { 'a.png': images.exe } });
  expect(await world.run('appearance', 'apply', 'a.yaml', '--yes')).toMatchObject({ code: 2 });
});

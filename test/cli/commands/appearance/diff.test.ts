import { describe, expect, it } from 'vitest';
import { appWithAppearance, otherPng, png, sha256 } from '../../../support/appearance.js';
import { testApp, type WorldOptions } from '../../../support/app.js';

describe('appearance diff', () => {
  const changed = `title: "no"\ndescription: |\n  # Hi\n\n  you\n  there\nlogo: new.png\nheader_logo: ""\nfavicon: icon.ico\n`;
  const differing = async (options: WorldOptions = {}) => {
    const world = await appWithAppearance(options);
    world.files.set('a.yaml', changed);
    world.files.set('new.png', otherPng('x'));
    return world;
  };
  const size = otherPng('x').length;
  const hash = sha256(otherPng('x'));

  it('prints the fields that differ, long texts line by line, and exits with 8', async () => {
    const { code, out, err } = await (await differing()).run('appearance', 'diff', 'a.yaml');
    expect(code).toBe(8);
    expect(out).toBe(`title: "yes" → "no"\ndescription:\n    # Hi\n    \n  + you\n    there\n`
      + `logo: /uploads/-/system/appearance/logo/1/logo.png (70 bytes, sha256 ${sha256(png).slice(0, 8)}) → `
      + `new.png (${size} bytes, sha256 ${hash.slice(0, 8)})\n`);
    expect(err).toBe('colloquy: 3 fields differ\nchange it with `colloquy appearance apply`\n');
  });

  it('names the command for a saved plan', async () => {
    const world = await differing();
    await world.run('appearance', 'apply', 'a.yaml', '--save-plan', 'plan 1.json');
    const hint = "see its changes with `colloquy appearance apply 'plan 1.json' --dry-run`";
    for (const verb of ['diff', 'preview']) {
      expect(await world.run('appearance', verb, 'plan 1.json')).toMatchObject({ code: 2, err: `colloquy: plan 1.json is a saved plan\n${hint}\n` });
    }
  });

  it('prints both values of each field as JSON, images by their hash', async () => {
    const { code, out } = await (await differing()).run('appearance', 'diff', 'a.yaml', '--json');
    expect(code).toBe(8);
    expect(JSON.parse(out)).toEqual([
      { field: 'title', live: 'yes', wanted: 'no' },
      { field: 'description', live: '# Hi\n\nthere\n', wanted: '# Hi\n\nyou\nthere\n' },
      { field: 'logo', live: { name: '/uploads/-/system/appearance/logo/1/logo.png', size: 70, sha256: sha256(png) },
        wanted: { name: 'new.png', size, sha256: hash } },
    ]);
  });

  it.each([['tsv', 'title\t"yes"\t"no"\n'], ['csv', 'field,live,wanted\ntitle,'], ['id', 'title\ndescription\nlogo\n'],
    ['yaml', '- field: title\n  live: "yes"\n  wanted: "no"\n'], ['ndjson', '{"field":"title",'], ['markdown', '| field | live | wanted |'],
    ['table', 'FIELD']])('prints %s', async (format, start) => {
    const { code, out } = await (await differing()).run('appearance', 'diff', 'a.yaml', '-o', format);
    expect({ code, out: out.slice(0, start.length) }).toEqual({ code: 8, out: start });
  });

  it('exits with 0 if nothing differs', async () => {
    const world = await appWithAppearance();
    await world.run('appearance', 'export', 'a.yaml');
    expect(await world.run('appearance', 'diff', 'a.yaml')).toMatchObject({ code: 0, out: '', err: 'nothing differs\n' });
    expect(await world.run('appearance', 'diff', 'a.yaml', '--json')).toMatchObject({ code: 0, out: '[]\n' });
  });

  it('reports an image that should not be set', async () => {
    const world = await appWithAppearance();
    world.files.set('a.yaml', 'logo: ""\n');
    const { code, out } = await world.run('appearance', 'diff', 'a.yaml', '--json');
    expect({ code, out: JSON.parse(out) as unknown }).toMatchObject({ code: 8, out: [{ field: 'logo', wanted: null }] });
  });

  it('colors lines on a terminal, and escapes characters that act on it', async () => {
    const world = await differing({ terminal: true, colors: 1 });
    world.files.set('a.yaml', 'title: "\\e[2J"\ndescription: "a\\u202e\\nb"\n');
    const { out } = await world.run('appearance', 'diff', 'a.yaml');
    expect(out).toContain('\x1b[32m+ \\u001b[2J\x1b[39m\n');
    expect(out).toContain('\x1b[32m+ a\\u202e\x1b[39m\n');
    expect(out).toContain('\x1b[31m- # Hi\x1b[39m\n');
  });

  it('warns about doubtful values, which --strict makes errors', async () => {
    const world = await appWithAppearance();
    world.files.set('a.yaml', 'description: "<!-- x -->"\n');
    expect(await world.run('appearance', 'diff', 'a.yaml')).toMatchObject({
      code: 8, err: expect.stringMatching(/^warning: the Markdown of description shows nothing; /) as string });
    expect(await world.run('appearance', 'diff', 'a.yaml', '--strict')).toMatchObject({ code: 2, out: '' });
  });

  it('shows a text whose only change is the line break at its end', async () => {
    const world = await appWithAppearance();
    world.files.set('a.yaml', 'description: "# Hi\\n\\nthere"\n');
    expect((await world.run('appearance', 'diff', 'a.yaml')).out)
      .toBe('description:\n    # Hi\n    \n  - there\n  + there (no line break at the end)\n');
    world.files.set('a.yaml', 'description: "# Hi\\n\\nyou"\n');
    expect((await world.run('appearance', 'diff', 'a.yaml')).out).toBe('description:\n    # Hi\n    \n  - there\n  + you\n');
  });

  it('shortens long texts in rows', async () => {
    const world = await appWithAppearance();
    world.files.set('a.yaml', `title: ${'word '.repeat(50)}\n`);
    expect((await world.run('appearance', 'diff', 'a.yaml', '-o', 'tsv')).out).toMatch(/^title\t"yes"\t"(word ){12}…"\n$/);
  });

  it('leaves out unchanged lines between changes', async () => {
    const world = await appWithAppearance();
    const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`);
    await world.run('appearance', 'set', '--description', lines.join('\n'));
    world.files.set('a.json', JSON.stringify({ description: lines.with(0, 'first').with(19, 'last').join('\n') }));
    expect((await world.run('appearance', 'diff', 'a.json')).out).toBe('description:\n  - line 0\n  + first\n    line 1\n    line 2\n    …\n'
      + '    line 17\n    line 18\n  - line 19\n  + last\n');
  });

  it('says what apply cannot do', async () => {
    const world = await testApp({ env: { COLLOQUY_TOKEN: 'root-token' }, files: { 'a.yaml': 'logo: ""\n', 'logo.png': png } });
    await world.run('appearance', 'set', '--logo', 'logo.png');
    const { code, err } = await world.run('appearance', 'diff', 'a.yaml');
    expect(code).toBe(8);
    const hint = 'name another image, or remove the line to leave it as it is';
    expect(err).toBe(`warning: a.yaml:1:1: \`apply\` cannot clear logo: the API cannot remove an image; ${hint}\ncolloquy: 1 field differs\n${hint}\n`);
    world.files.set('b.yaml', 'logo: ""\ntitle: A\n');
    expect((await world.run('appearance', 'diff', 'b.yaml')).err).toContain('2 fields differ\nchange it with `colloquy appearance apply`\n');
    world.files.set('c.yaml', 'pwa_name: Acme\n');
    expect(await world.run('appearance', 'diff', 'c.yaml')).toMatchObject({ code: 0, out: '', err: 'warning: c.yaml:1:1: pwa_name differs, '
      + 'and cannot be changed through the API; remove the line\nnothing differs that can be changed\n' });
  });

  it.each(['logo: ""\n', 'pwa_name: Acme\n'])('fails with --strict on what apply cannot do, as apply does: %j', async (text) => {
    const world = await appWithAppearance();
    world.files.set('a.yaml', `title: New\n${text}`);
    for (const words of [['diff'], ['apply', '--yes']]) {
      const { code, out, sent } = await world.run('appearance', ...words, 'a.yaml', '--strict');
      expect({ code, out, puts: sent.filter(({ method }) => method === 'PUT') }).toEqual({ code: 2, out: '', puts: [] });
    }
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AppearanceChanges as Changes } from '../../../src/cli/appearance/values.js';
import { checkChanges, contrastOf } from '../../../src/cli/appearance/checks.js';
import type { Appearance } from '../../../src/contract/appearance.js';
import { images, multipart } from '../../support/images.js';
import { testService } from '../../support/service.js';

const upload = (filename: string, bytes: Uint8Array) => ({ filename, bytes });
const findings = async (changes: Changes, live: Partial<Appearance> | null = null) =>
  (await checkChanges(changes, live)).map(({ field, level }) => `${level} ${field}`);

describe('the check of a color', () => {
  it.each(['#fff', '#E75E40', '', ' '])('accepts %j', async (color) => {
    expect(await findings({ message_font_color: color })).toEqual([]);
  });

  it.each(['fff', 'E24329', 'E24329ff', '#ff', '#12345', '#ggg', '#1234567', 'rgb(0,0,0)', '#fff; x', '# fff', '123'])('rejects %j', async (color) => {
    expect(await findings({ message_font_color: color })).toEqual(['error message_font_color']);
  });

  it.each(['red', '#fff8', '#ffffff80'])('warns about %j, which a newer service may accept', async (color) => {
    expect(await findings({ message_background_color: color })).toEqual(['warning message_background_color']);
  });
});

describe('the contrast', () => {
  it.each([['#000', '#fff', 21], ['#fff', '#ffffff', 1], ['#777777', '#ffffff', 4.48], ['#767676', '#FFF', 4.54], ['#8b1f2b', '#fff', 9.0]])(
    'of %s and %s is %d', (one, other, ratio) => {
      expect(contrastOf(one, other)).toBeCloseTo(ratio, 1);
    });

  it('is the same in both directions, and from 1 to 21', () => {
    const color = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`);
    fc.assert(fc.property(color, color, (one, other) => {
      const contrast = contrastOf(one, other)!;
      expect(contrast).toBe(contrastOf(other, one));
      expect(contrast).toBeGreaterThanOrEqual(1);
      expect(contrast).toBeLessThanOrEqual(21);
    }));
  });

  it('is unknown for other forms of colors', () => {
    expect(contrastOf('red', '#fff')).toBeNull();
    expect(contrastOf('#fff', '')).toBeNull();
  });

  it('below 4.5 is a warning, with the figure rounded down', async () => {
    const [finding] = await checkChanges({ message_background_color: '#777777', message_font_color: '#fff' }, null);
    expect(finding).toMatchObject({ level: 'warning', message: 'the contrast of font color #fff on background color #777777 is 4.47, below 4.5' });
    expect(await findings({ message_background_color: '#767676', message_font_color: '#fff' })).toEqual([]);
  });

  it('uses the live value of the other color', async () => {
    const live = { message_background_color: '#000000', message_font_color: '#FFFFFF' };
    expect(await findings({ message_background_color: '#ffff00' }, live)).toEqual(['warning message_background_color']);
    expect(await findings({ message_font_color: '#111' }, live)).toEqual(['warning message_font_color']);
    expect(await findings({ message_font_color: '#ff0' }, live)).toEqual([]);
    expect(await findings({ message_font_color: '#fff' }, null)).toEqual([]);
  });

  it('of colors that stay the same is not checked', async () => {
    const live = { message_background_color: '#E75E40', message_font_color: '#FFFFFF' };
    expect(await findings({ message_font_color: '#fff' }, live)).toEqual([]);
    expect(await findings({ message_font_color: '#FFFFFF', message_background_color: '#E75E40' }, live)).toEqual([]);
    expect(await findings({ title: 'A' }, live)).toEqual([]);
  });
});

describe('the check of an image', () => {
  it.each(Object.entries(images).filter(([name]) => name !== 'exe'))('accepts %s as a logo', async (name, bytes) => {
    expect(await findings({ logo: upload(`a.${name}`, bytes), header_logo: upload(`A.${name.toUpperCase()}`, bytes) })).toEqual([]);
  });

  it.each<[string, Changes, string]>([
    ['an empty file', { logo: upload('a.png', Buffer.alloc(0)) }, 'error logo'],
    ['a logo above 1 MiB', { header_logo: upload('a.svg', Buffer.concat([images.svg, Buffer.alloc(1_048_576)])) }, 'error header_logo'],
    ['a favicon of another name', { favicon: upload('a.svg', images.png) }, 'error favicon'],
    ['a favicon of another type', { favicon: upload('a.png', images.jpg) }, 'error favicon'],
    ['a favicon of an unknown type', { favicon: upload('a.ico', Buffer.from('text')) }, 'error favicon'],
    ['a logo that is not an image', { logo: upload('a.txt', Buffer.from('text')) }, 'error logo'],
    ['a text with the name of an SVG', { logo: upload('a.svg', Buffer.from('text')) }, 'error logo'],
    ['a program as a logo', { logo: upload('a.png', images.exe) }, 'error logo'],
    ['a truncated PNG', { logo: upload('a.png', images.png.subarray(0, 40)) }, 'error logo'],
    ['a favicon that ends early', { favicon: upload('a.ico', images.ico.subarray(0, 100)) }, 'error favicon'],
    ['an SVG that ends early', { header_logo: upload('a.svg', Buffer.from('<svg><path')) }, 'error header_logo'],
    ['an SVG with a script', { logo: upload('a.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')) }, 'warning logo'],
    ['an SVG without its namespace', { logo: upload('a.svg', Buffer.from('<svg><g xmlns="http://www.w3.org/2000/svg"/></svg>')) }, 'warning logo'],
    ['an SVG with a prefix', { logo: upload('a.svg', Buffer.from('<svg:svg xmlns:svg="http://www.w3.org/2000/svg"><svg:script/></svg:svg>')) }, 'warning logo'],
    ['a logo with the name of another type', { logo: upload('a.png', images.svg) }, 'warning logo'],
  ])('reports %s', async (_, changes, finding) => {
    expect(await findings(changes)).toEqual([finding]);
  });

  it('accepts a logo of exactly 1 MiB, and a favicon of any size', async () => {
    const most = Buffer.concat([images.png, Buffer.alloc(1_048_576 - images.png.length)]);
    expect(await findings({ logo: upload('a.png', most), favicon: upload('a.png', Buffer.concat([most, most])) })).toEqual([]);
  });
});

describe('the check of a text', () => {
  it('rejects guidelines of more than 4,096 characters', async () => {
    expect(await findings({ profile_image_guidelines: '😀'.repeat(4_096) })).toEqual([]);
    expect(await findings({ profile_image_guidelines: 'x'.repeat(4_097) })).toEqual(['error profile_image_guidelines']);
  });

  it.each(['<!-- soon -->', '[ref]: https://example.com', ' \n ', '<script>x</script>', '&nbsp;', '#', '<div></div>', '\u200b'])(
    'reports Markdown that shows nothing: %j', async (text) => {
      expect(await findings({ description: text })).toEqual(['warning description']);
    });

  it.each(['', 'hi', '![](a.png)', '---', '`x`', '<b>x</b>', '<img src="a.png">', '    code'])(
    'accepts %j', async (text) => {
      expect(await findings({ new_project_guidelines: text })).toEqual([]);
    });

  it('accepts Markdown that is nested too deeply or too long to render', async () => {
    expect(await findings({ description: '> '.repeat(9_000), new_project_guidelines: ' '.repeat(30_000) })).toEqual([]);
  });

  it('of a header is not about Markdown', async () => {
    expect(await findings({ header_message: '<!-- x -->' })).toEqual([]);
  });
});

it('reports as errors only what the service rejects', async () => {
  const service = await testService();
  const color = fc.constantFrom('#fff', '#12', '#12345', 'fff', 'red', '#fff8', 'rgb(1,2,3)', '', '#E75E40', 'e24329ff');
  const file = fc.tuple(fc.constantFrom('a.png', 'a.ico', 'a.svg', 'a', '.png'), fc.constantFrom(...Object.values(images)));
  await fc.assert(fc.asyncProperty(color, file, file, async (message_font_color, favicon, logo) => {
    const changes = { message_font_color, favicon: upload(...favicon), logo: upload(...logo) };
    const errors = (await checkChanges(changes, null)).filter(({ level }) => level === 'error');
    const { status } = await service.put('/application/appearance', { as: 'root', ...multipart({ message_font_color, favicon, logo }) });
    expect(errors.length > 0 ? 400 : status).toBe(status);
  }), { numRuns: 100 });
});

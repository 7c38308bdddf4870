import { describe, expect, it } from 'vitest';
import { ran, ranIn, type WorldOptions } from '../../../support/app.js';

const root: WorldOptions = { env: { COLLOQUY_TOKEN: 'root-token' } };
const get = ['appearance', 'get'];

describe('appearance get', () => {
  it('prints one line per field', async () => {
    const { code, out, err } = await ranIn(root, ...get);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')).toHaveLength(13);
    expect(out).toContain('title\t\n');
    expect(out).toContain('message_background_color\t#E75E40\n');
    expect(out).toContain('email_header_and_footer_enabled\tfalse\n');
  });

  it('prints two columns on a terminal, the object as JSON, and rows in other formats', async () => {
    expect((await ranIn({ ...root, terminal: true }, ...get)).out).toContain('message_font_color               #FFFFFF\n');
    expect(JSON.parse((await ranIn(root, ...get, '--json')).out)).toMatchObject({ title: '', logo: null });
    expect((await ranIn(root, ...get, '--json=logo,title')).out).toBe('{"logo":null,"title":""}\n');
    expect((await ranIn(root, ...get, '-o', 'csv')).out).toMatch(/^field,value\ntitle,\n/);
    expect((await ranIn(root, ...get, '-o', 'yaml')).out).toMatch(/^title: ""\n/);
  });

  it('requires an administrator', async () => {
    expect(await ran(...get)).toMatchObject({ code: 5, out: '' });
  });

  it('rejects an id', async () => {
    expect(await ranIn(root, ...get, '-o', 'id')).toMatchObject({ code: 2, sent: [] });
  });

  it('prints its help', async () => {
    expect((await ran(...get, '--help')).out).toContain('colloquy appearance get --json=title,logo');
  });
});

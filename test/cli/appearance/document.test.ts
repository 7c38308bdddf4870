import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseAppearance } from '../../../src/cli/appearance/document.js';
import { exportedFrom } from '../../../src/cli/commands/appearance/export.js';
import { readLimitedFile } from '../../../src/cli/terminal/io/files.js';
import { png } from '../../support/appearance.js';
import { testApp } from '../../support/app.js';
import { runsOf } from '../../support/extent.js';

const valuesIn = async (text: string) =>
  Object.fromEntries((await parseAppearance(text, 'a.yaml')).entries.map(({ name, value }) => [name, value]));

/** The message and hint of a document that is rejected. */
const problemOf = async (text: string) => {
  const { err, code, sent } = await (await testApp({ env: { COLLOQUY_TOKEN: 'root-token' }, files: { 'a.yaml': text, 'l.png': png } }))
    .run('appearance', 'apply', 'a.yaml', '--yes');
  expect({ code, puts: sent.filter(({ method }) => method === 'PUT') }).toEqual({ code: 2, puts: [] });
  return err.replace(/^colloquy: /, '');
};

describe('a document', () => {
  it('keeps numbers and dates in place of texts as they are written', async () => {
    expect(await valuesIn('title: 1.10\ndescription: 2024-01-01\nheader_message: true\nfooter_message: 0x10\nmessage_font_color: 000\n')).toEqual({
      title: '1.10', description: '2024-01-01', header_message: 'true', footer_message: '0x10', message_font_color: '000' });
  });

  it('may repeat a text with an alias', async () => {
    expect(await valuesIn('title: &name Acme\nheader_message: *name\n')).toEqual({ title: 'Acme', header_message: 'Acme' });
  });

  it.each([
    ['title: A\ntitel: B', 'a.yaml:2:1: unknown field "titel"\ndid you mean title?\n'],
    ['header-message: A', 'a.yaml:1:1: unknown field "header-message"\ndid you mean header_message?\n'],
    ['title: A\n"\\e[2Jx": B', 'a.yaml:2:1: unknown field "\\\\u001b[2Jx"\nchoose from: title, description'],
    ['<<: {title: A}', 'a.yaml:1:1: unknown field "<<"'],
    ['title: A\ntitle: B', 'a.yaml:2:1: duplicate key "title"\nremove one of them\n'],
    ['title: [A]', 'a.yaml:1:8: expected a text for "title"\nwrite it like title: "text"\n'],
    ['title:\n  a: b', 'a.yaml:2:3: expected a text for "title"'],
    ['title:', 'a.yaml:1:7: title has no value\nwrite title: "" to clear it, or remove the line\n'],
    ['message_font_color: #fff', "a.yaml:1:21: message_font_color has no value\nput the color in quotes: message_font_color: '#8b1f2b'\n"],
    ['email_header_and_footer_enabled: maybe', 'a.yaml:1:34: expected true or false for "email_header_and_footer_enabled"'],
    ['email_header_and_footer_enabled: "true"', 'a.yaml:1:34: expected true or false'],
    ['title: *name', 'a.yaml:1:8: *name is an alias without an anchor'],
    ['? [a]\n: b', 'a.yaml:1:3: this key is not a text'],
    ['title: A\n---\ntitle: B', 'a.yaml:2:1: a second document starts here'],
    ['title: "A', 'a.yaml:1:10: Missing closing "quote'],
    ['logo: !!binary x', 'a.yaml:1:7: Unresolved tag'],
    ['- title', 'a.yaml:1:1: expected fields with their values\nwrite it like title: Acme\n'],
    ['', 'a.yaml:1:1: expected fields with their values'],
    ['{}', 'a.yaml:1:1: expected fields with their values'],
    ['title: A\n\tx: B', 'a.yaml:2:1: '],
    ['logo: missing.png', 'a.yaml:1:1: cannot read missing.png for logo: no such file\nwrite the path of an image'],
    ['logo: /uploads/-/old.png', 'the live image has another address now'],
    ['logo: https://example.com/a.png', 'a.yaml:1:1: the URL of logo is not the address of the live image'],
    ['logo: data:image/png;base64,%%%', 'a.yaml:1:1: invalid data URI for logo'],
    ['logo: data:image/png', 'invalid data URI for logo'],
    ['logo: "data:,%zz"', 'invalid data URI for logo'],
    ['logo: [l.png]', 'expected a text for "logo"'],
  ])('is rejected with its place: %j', async (text, message) => {
    expect(await problemOf(text)).toContain(message);
  });

  it('does not expand aliases of lists', async () => {
    const bomb = ['a: &a ["lol"]', ...Array.from({ length: 12 }, (_, i) =>
      `${'b'.repeat(i + 1)}: &${'b'.repeat(i + 1)} [${Array(9).fill(i === 0 ? '*a' : `*${'b'.repeat(i)}`).join(', ')}]`)].join('\n');
    expect(await problemOf(bomb)).toContain('the aliases stand for too many values');
  });

  it('of many keys or deep nesting is rejected without delay', async () => {
    expect(await problemOf(Array.from({ length: 50_000 }, (_, i) => `k${i}: *x`).join('\n'))).toContain('a.yaml:1:');
    expect(await problemOf(`title: ${'['.repeat(50_000)}`)).toContain('a.yaml:1:');
  });

  it('that is too large is rejected', async () => {
    const world = await testApp({ files: { 'a.yaml': Buffer.alloc(33_554_433, 'a') } });
    expect(await world.run('appearance', 'diff', 'a.yaml')).toMatchObject({
      code: 2, sent: [], err: 'colloquy: cannot read a.yaml: it is larger than 33554432 bytes\ncheck the path\n' });
  });

  it('that is not UTF-8 is rejected', async () => {
    const world = await testApp({ files: { 'a.yaml': Buffer.from([0xff, 0xfe]) } });
    expect(await world.run('appearance', 'diff', 'a.yaml')).toMatchObject({ code: 2, sent: [] });
  });

  it.each(['pipe', '/dev/zero', '.'])('rejects %s in place of an image', async (path) => {
    const folder = mkdtempSync(join(tmpdir(), 'colloquy-document-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    writeFileSync(join(folder, 'a.yaml'), `logo: ${path}\n`);
    const world = await testApp({ env: { COLLOQUY_TOKEN: 'root-token' } });
    Object.assign(world.app.files, { readLimited: readLimitedFile });
    const { code, err } = await world.run('appearance', 'apply', join(folder, 'a.yaml'), '--yes');
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringMatching(/for logo: it is (not a regular file|a folder)/) as string });
  });

  it('names no image outside its folder through a link, even one that is a complete image', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'colloquy-document-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, 'conf'));
    writeFileSync(join(folder, 'l.png'), png);
    symlinkSync('../l.png', join(folder, 'conf', 'link.png'));
    writeFileSync(join(folder, 'conf', 'a.yaml'), 'logo: link.png\n');
    const world = await testApp({ env: { COLLOQUY_TOKEN: 'root-token' } });
    Object.assign(world.app.files, { readLimited: readLimitedFile });
    const words = ['appearance', 'apply', join(folder, 'conf', 'a.yaml'), '--yes'];
    expect(await world.run(...words)).toMatchObject({ code: 2, sent: [] });
    expect(await world.run(...words, '--allow-outside')).toMatchObject({ code: 0 });
  });

  it('never fails with anything but a message, whatever it contains', async () => {
    const line = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('title: ', '- ', '&a ', '*a', '{', '[', '"', '\n', ': ', '? ', '|', '!!x ', '---'));
    await fc.assert(fc.asyncProperty(fc.array(line), async (lines) => {
      await parseAppearance(lines.join(''), 'a.yaml').catch((error: Error) => { expect(error.name).toBe('Problem'); });
    }), { numRuns: runsOf(1_000) });
  });
});

it('reads what it exports, whatever the texts are', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(fc.constantFrom(' ', '\n', '\r\n', '\t', 'a', '#', '- ', ': ', '"', "'", '\\', '\u2028', '\x1b', '\u0085', '…', '😀'))
      .map((parts) => parts.join('')),
    fc.constantFrom('yes', 'null', '~', '012', '1e3', '2024-01-01', '=', '<<', '*a', '&a', '!x', '%', '@', '`', '|', '>', '---', '...', '# x'));
  await fc.assert(fc.asyncProperty(text, text, fc.boolean(), async (title, description, flag) => {
    const fields = { title, description, logo: null, header_logo: null, favicon: null, email_header_and_footer_enabled: flag };
    const live = { fields, images: { logo: null, header_logo: null, favicon: null } };
    const exported = await exportedFrom(live as unknown as Parameters<typeof exportedFrom>[0], 'files');
    expect(await valuesIn(exported.text)).toEqual({
      title, description, email_header_and_footer_enabled: flag, logo: '', header_logo: '', favicon: '' });
  }), { numRuns: runsOf(1_000) });
});


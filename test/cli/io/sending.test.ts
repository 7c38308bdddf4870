import { describe, expect, it } from 'vitest';
import { ranIn, type WorldOptions } from '../../support/app.js';

const bytes = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(41_000)]);
const world: WorldOptions = { env: { COLLOQUY_TOKEN: 'root-token' }, files: { 'logo.png': bytes } };
const set = ['appearance', 'set', '--logo', 'logo.png'];
const form = ['api', 'PUT', 'application/appearance', '--form', 'logo=@logo.png'];

describe('an upload', () => {
  it('says on a terminal how much is on its way, and takes that back at the end', async () => {
    expect((await ranIn({ ...world, terminal: true }, ...set)).err)
      .toBe('\rsending 42 kB …\x1b[K\r\x1b[Kchanged logo\n');
    expect((await ranIn({ ...world, terminal: true }, ...form)).err).toMatch(/^\rsending 4\d kB …\x1b\[K\r\x1b\[K$/);
  });

  it('takes it back before it says why it failed', async () => {
    const answer = () => ({ status: 413, headers: {}, body: '' });
    expect((await ranIn({ ...world, terminal: true, answer }, ...set)).err).toMatch(/^\rsending 42 kB …\x1b\[K\r\x1b\[Kcolloquy: /);
  });

  it('says nothing of it in a pipe, with --quiet, with --dry-run, or where no file is sent', async () => {
    expect((await ranIn(world, ...set)).err).toBe('changed logo\n');
    expect((await ranIn({ ...world, terminal: true }, ...set, '--quiet')).err).toBe('');
    expect((await ranIn({ ...world, terminal: true }, ...set, '--dry-run')).err).toBe('');
    expect((await ranIn({ ...world, terminal: true }, 'appearance', 'set', '--title', 'A')).err).toBe('changed title\n');
  });
});

import { describe, expect, it } from 'vitest';
import { ranIn, type WorldOptions } from '../../../support/app.js';
import { images } from '../../../support/images.js';

const bytes = Buffer.concat([images.png, Buffer.alloc(41_000)]);
const world: WorldOptions = { env: { COLLOQUY_TOKEN: 'root-token' }, files: { 'logo.png': bytes } };
const set = ['appearance', 'set', '--logo', 'logo.png'];
const form = ['api', 'PUT', 'application/appearance', '--form', 'logo=@logo.png'];

describe('an upload', () => {
  it('shows its progress on a terminal, and clears it at the end', async () => {
    expect((await ranIn({ ...world, terminal: true }, ...set)).err)
      .toBe('\rsending 42 kB …\x1b[K\r\x1b[Kchanged logo: (empty) → logo.png\n');
    expect((await ranIn({ ...world, terminal: true }, ...form)).err).toMatch(/^\rsending 4\d kB …\x1b\[K\r\x1b\[K$/);
  });

  it('clears its progress before it reports an error', async () => {
    const answer = () => ({ status: 413, headers: {}, body: '' });
    expect((await ranIn({ ...world, terminal: true, answer }, ...set)).err).toMatch(/^\rsending 42 kB …\x1b\[K\r\x1b\[Kcolloquy: /);
  });

  it('shows no progress in a pipe, with --quiet, with --dry-run, or without a file', async () => {
    expect((await ranIn(world, ...set)).err).toBe('changed logo: (empty) → logo.png\n');
    expect((await ranIn({ ...world, terminal: true }, ...set, '--quiet')).err).toBe('');
    expect((await ranIn({ ...world, terminal: true }, ...set, '--dry-run')).err).toBe('would change logo: (empty) → logo.png\n');
    expect((await ranIn({ ...world, terminal: true }, 'appearance', 'set', '--title', 'A')).err).toBe('changed title: (empty) → "A"\n');
  });
});

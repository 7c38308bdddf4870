import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ended, newHome, program, served, type Env } from '../support/program.js';

const ran = (cwd: string, env: Env, ...words: readonly string[]) =>
  ended(spawn(process.execPath, [program, ...words], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }));

/** The report of conformance on a server with these flags, as the administrator. */
const reportOn = async (home: string, env: Env, flags: readonly string[], ...words: readonly string[]) => {
  const { url } = await served(flags, env, home);
  const { code, out } = await ran(home, { ...env, COLLOQUY_URL: url, COLLOQUY_TOKEN: 'root-token' },
    'conformance', 'mr/12', 'issue/7', '-p', 'acme/app', '-g', 'acme', '--write', '--json', ...words);
  return { code, report: JSON.parse(out) as { failed: number } };
};

describe('serve --like', () => {
  it('has the report of the instance that conformance --save described', async () => {
    const { home, env } = newHome();
    const flags = ['--dialect', 'live', '--tier', 'free', '--service-version', '16.2', '--fault', 'GET /application/appearance => status 500'];
    const first = await reportOn(home, env, flags, '--save', 'like.yaml');
    expect([first.code, first.report.failed]).not.toEqual([0, 0]);
    expect(await reportOn(home, env, ['--like', 'like.yaml'])).toEqual(first);
  });

  it('refuses a file with a mistake, with its place', async () => {
    const { home, env } = newHome();
    writeFileSync(join(home, 'like.yaml'), 'dialect: live\ntier: gold\n');
    expect(await ran(home, env, 'serve', '--like', 'like.yaml')).toMatchObject({
      code: 2, out: '', err: expect.stringContaining('like.yaml:2: tier must be one of free, premium, ultimate, not "gold"') as string,
    });
    expect(await ran(home, env, 'serve', '--like', 'none.yaml')).toMatchObject({ code: 2, err: expect.stringContaining('no such file') as string });
  });
});

import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newHome, served } from '../support/program.js';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('the log file of serve --log', () => {
  /** Serves one request with a log and returns the path of the log. */
  const logged = async (prepare: (path: string) => void = () => undefined): Promise<string> => {
    const { home, env } = newHome();
    const path = join(home, 'requests.ndjson');
    prepare(path);
    const server = await served(['--log', path], env, home);
    await (await fetch(`${server.url}/api/v4/version`)).text();
    await server.end();
    return path;
  };

  it('is readable by its owner only', async () => {
    const path = await logged();
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ target: '/api/v4/version', status: 401 });
    expect(modeOf(path)).toBe('600');
  });

  it('keeps its existing mode', async () => {
    const path = await logged((file) => {
      writeFileSync(file, '');
      chmodSync(file, 0o640);
    });
    expect(readFileSync(path, 'utf8')).toContain('/api/v4/version');
    expect(modeOf(path)).toBe('640');
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocksOf } from './blocks.js';
import { machine } from './machine.js';

describe('the nightly comparison in docs/pipelines/jobs.md', () => {
  const [script] = blocksOf('docs/pipelines/jobs.md', 'sh').filter((block) => block.includes('conformance'));

  it('keeps one comment with the differences while there are some', async () => {
    const { run, marked, home, faults } = await machine();
    const night = () => run(['sh', '-c'], script!, { COLLOQUY_URL: 'https://gitlab.example.com', COLLOQUY_TOKEN: 'root-token', COLLOQUY_PROJECT: 'acme/app' });
    expect(await night()).toMatchObject({ code: 0 });
    expect([await marked('issue', 7), readFileSync(join(home, 'conformance.xml'), 'utf8')]).toEqual([[], expect.stringContaining('failures="0"')]);
    await faults([{ on: 'GET /application/appearance', do: 'status 500' }]);
    const codes = [(await night()).code, (await night()).code];
    const [comment, ...others] = await marked('issue', 7);
    expect([codes, comment, others]).toEqual([[8, 8], expect.stringContaining('`appearance.keys`: expected status 200, got 500'), []]);
    await faults([{ on: 'GET /application/appearance', do: 'status 500' }, { on: 'GET /version', do: 'status 401', skip: 1 }]);
    expect([(await night()).code, await marked('issue', 7)]).toEqual([4, [comment]]);
    await faults([]);
    expect([(await night()).code, await marked('issue', 7)]).toEqual([0, []]);
  }, 120_000);
});

import { describe, expect, it } from 'vitest';
import { unknownRoute } from '../../../../support/answers.js';
import { ranIn, type Ran } from '../../../../support/app.js';
import { pushService, second } from '../../../../support/pushes.js';

const versionsIn = ({ sent }: Ran) => sent.map(({ target }) => target.split('?')[0]!).filter((path) => path.includes('/versions'))
  .map((path) => path.replace(/^.*\/versions/, 'versions'));

const outdated = async () => {
  const service = await pushService();
  for (const new_line of [2, 2, 2]) await service.comment({ new_line });
  await service.push({ diff: second.replace('+2', '+II') });
  return service;
};

describe('the versions of a diff', () => {
  it('have files that are read once for all threads', async () => {
    const ran = await ranIn({ service: await outdated() }, 'discussions', 'view', '!1');
    expect(ran.code, ran.err).toBe(0);
    const read = versionsIn(ran).filter((path) => path !== 'versions');
    expect([read.length, new Set(read).size]).toEqual([2, 2]);
  });

  it('are not needed: a service without them shows the threads where they were written', async () => {
    const ran = await ranIn({ service: await outdated(), answer: ({ target }) => target.includes('/versions') ? unknownRoute : undefined },
      'discussions', 'view', '!1');
    expect([ran.code, ran.out.match(/^thread \d+ on x\.ts:2 \[open\]/gm)]).toEqual([0, [expect.any(String), expect.any(String), expect.any(String)]]);
  });
});

import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { json, unknownRoute } from '../../../support/answers.js';
import type { WorldOptions } from '../../../support/app.js';
import { otherEpics } from '../../../support/epic-app.js';

/** &1 and &8 are confidential; &10 to &15 are a chain below &9. */
const world = (options: WorldOptions = {}) => otherEpics((epics) => [
  ...epics.map((epic) => epic.iid === 1 || epic.iid === 8 ? { ...epic, confidential: true } : epic),
  ...Array.from({ length: 7 }, (_, at) => ({
    id: 509 + at, iid: 9 + at, title: `Level ${at + 1}`, author: 'reporter', ...(at > 0 && { parent: 508 + at }),
  })),
], options);

const run = async (words: readonly string[], options: WorldOptions = {}) => {
  const result = await (await world(options)).run('epics', ...words);
  return { ...result, writes: result.sent.filter(({ method }) => method !== 'GET').length };
};

const open = (name: string, parent = '&1 "Roadmap"') => `${name} is not confidential, and cannot be below the confidential epic ${parent}`;
const oldVersion = ({ target }: Pick<HttpRequest, 'target'>) => target.endsWith('/version')
  ? json(200, { version: '13.12.0-ee', revision: 'x' }) : undefined;
const deep = 'the epics below &3 "Epic 3" would be on level 8, and the service allows 7 levels';

describe('epics assign', () => {
  it('warns of every child that the service may reject, and lets it decide', async () => {
    const { code, err, writes } = await run(['assign', '&1', '&8', '&3', '&7', '--move']);
    expect({ code, warnings: err.split('\n').filter((line) => line.startsWith('warning')) }).toEqual({ code: 7, warnings: [
      `warning: ${open('&3 "Epic 3"')}; make it confidential first`, `warning: ${open('&7 "Epic 7"')}; make it confidential first`] });
    expect(writes).toBeGreaterThan(0);
  });

  it.each([[['--dry-run']], [['--yes']], [['--json']]])('fails before the first change with --strict, %s', async (words) => {
    const { code, err, writes } = await run(['assign', '&1', '&8', '&3', 'id:507', '--move', '--strict', ...words]);
    expect({ code, writes }).toEqual({ code: 7, writes: 0 });
    expect(err).toContain('2 epics cannot be below acme&1 ');
    expect(err).toContain('&7 ');
    expect(err).toContain('&3 ');
  });

  it('counts the levels above the parent and below the child', async () => {
    expect(await run(['assign', '&14', '&3', '--strict'])).toMatchObject({ code: 7, writes: 0, err: expect.stringContaining(deep) as string });
    expect(await run(['assign', '&13', '&3', '--strict', '--dry-run'], { answer: oldVersion })).toMatchObject({ code: 7, err: expect.stringContaining(
      'would be on level 7, and version 13.12.0-ee of the service may allow only 5 levels') as string });
    expect(await run(['assign', '&11', '&3', '--strict'])).toMatchObject({ code: 0, writes: 1 });
    expect((await run(['assign', '&14', '&3'])).err).toContain(`warning: ${deep}; place it higher\n`);
  });

  it('says nothing of epics that the service does not report', async () => {
    const answer: WorldOptions['answer'] = ({ target }) => /\/epics\/\d+$/.test(target) && !target.includes('/epics/1/') ? unknownRoute : undefined;
    expect((await run(['assign', '&1', 'id:503', '--dry-run'], { answer })).err).not.toContain('warning');
    const noTree: WorldOptions['answer'] = ({ target }) => target.includes('/epics/3/epics') ? json(403, {}) : oldVersion({ target });
    expect((await run(['assign', '&13', '&3', '--dry-run'], { answer: noTree })).err).toContain('"Epic 3" would be on level 6');
  });
});

describe('epics create', () => {
  const words = ['create', '&1', '--title', 'New', '--confidential=false'];

  it('warns of an epic that the service may reject, and lets it decide', async () => {
    expect(await run(words)).toMatchObject({ code: 7, writes: 1, err: expect.stringContaining(
      'warning: "New" would not be confidential, and cannot be below the confidential epic &1 "Roadmap"; make it confidential first\n') as string });
    expect((await run(['create', '&1', '--title', 'New'])).err).toBe('created &16 "New" under acme&1 "Roadmap"\n');
  });

  it('fails before the change with --strict', async () => {
    expect(await run([...words, '--strict', '--dry-run'])).toMatchObject({ code: 7, writes: 0 });
    expect(await run(['create', '&15', '--title', 'New', '--strict'])).toMatchObject({ code: 7, writes: 0, err: expect.stringContaining(
      '"New" would be on level 8, and the service allows 7 levels\nplace it higher\n') as string });
    expect(await run(['create', '&12', '--title', 'New', '--strict'])).toMatchObject({ code: 0, writes: 1 });
  });
});

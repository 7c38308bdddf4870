import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { epicApp } from '../../support/epic-app.js';

const stored = readFileSync(join(import.meta.dirname, '../../fixtures/journals/epics-apply.ndjson'));
const name = 'epics/be9a991ab589e01c/run.ndjson';

/** The service after a run that assigned &8 and moved &7, with the journal that an earlier version wrote of it. */
const interrupted = async () => {
  const app = await epicApp({ state: new Map([[name, new Uint8Array(stored)]]) });
  await app.run('epics', 'assign', '&1', '&8');
  await app.run('epics', 'assign', '&1', '&7', '--move');
  return app;
};

const childrenOf = async (app: Awaited<ReturnType<typeof interrupted>>, epic: string) =>
  (await app.run('epics', 'list', epic, '-q', '.[].title')).out.trim().split('\n');

describe('a journal of epics apply that an earlier version wrote', () => {
  it('is continued', async () => {
    const app = await interrupted();
    expect(await app.run('epics', 'apply', '&1', '--resume', '--yes')).toMatchObject({ code: 0 });
    expect(await childrenOf(app, '&1')).toEqual(['New', 'Epic 7', 'Epic 8', 'Epic 4', 'Epic 5', 'Epic 6', 'Sub 4']);
    const journal = Buffer.from((app.state as Map<string, Uint8Array>).get(name)!).toString();
    expect(journal.slice(0, stored.length)).toBe(stored.toString());
    expect(journal.slice(stored.length)).toMatch(/\n\{"type":"start".*\n\{"type":"done","created":\{.*\n\{"type":"end"\}$/s);
  });

  it('is rolled back', async () => {
    const app = await interrupted();
    expect(await app.run('epics', 'apply', '&1', '--rollback', '--yes')).toMatchObject({ code: 0 });
    expect(await childrenOf(app, '&1')).toEqual(['Epic 4', 'Epic 5', 'Epic 6', 'Sub 4']);
    expect(await childrenOf(app, '&3')).toEqual(['Epic 7']);
    expect(app.state).toEqual(new Map());
  });
});

import { describe, expect, it } from 'vitest';
import { openPreview } from '../../../../src/cli/appearance/preview/source.js';
import { json } from '../../../support/answers.js';
import { png } from '../../../support/appearance.js';
import { testApp, type WorldOptions } from '../../../support/app.js';
import { multipart } from '../../../support/images.js';
import { testService } from '../../../support/service.js';

const opened = async (document?: string, options: WorldOptions = {}) => {
  const files = { 'new.png': png, ...document !== undefined && { 'a.yaml': document } };
  const world = await testApp({ env: { COLLOQUY_TOKEN: 'root-token' }, files, ...options });
  await world.service.put('/application/appearance', { as: 'root', json: { title: 'Live', message_background_color: '#ffffff' } });
  const source = await openPreview(world.app, {}, document === undefined ? undefined : 'a.yaml');
  return { ...world, ...source, put: (fields: object) => world.service.put('/application/appearance', { as: 'root', json: fields }) };
};

describe('a preview', () => {
  it('has the live state and the one after applying the document', async () => {
    const { current } = await opened('title: New\nlogo: new.png\n');
    const { service, before, document, differences, problem } = await current();
    expect([service, before.fields.title, before.images.logo, problem]).toEqual(['http://service.test', 'Live', null, null]);
    expect(document).toMatchObject({ name: 'a.yaml', after: { fields: { title: 'New' } } });
    expect(document!.after.images).toMatchObject({ logo: { filename: 'new.png', type: 'image/png' }, favicon: null });
    expect(differences.map(({ field }) => field)).toEqual(['title', 'logo']);
    expect(before.fields).not.toHaveProperty('logo');
  });

  it('has only the live state without a document', async () => {
    expect(await (await opened()).current()).toMatchObject({ document: null, differences: [], checks: [], before: { fields: { title: 'Live' } } });
  });

  it('has the results of the checks, and what has no effect', async () => {
    const service = await testService();
    await service.put('/application/appearance', { as: 'root', ...multipart({ logo: ['l.png', png] }) });
    const { current } = await opened('logo: ""\nmessage_font_color: "#fefefe"\nheader_message: Hi\npwa_name: Acme\n', { service });
    const { checks, document } = await current();
    expect(checks.map(({ level, message }) => `${level}: ${message}`)).toEqual([
      expect.stringMatching(/^warning: .*contrast.*; /), 'warning: a.yaml:4:1: pwa_name differs, and cannot be changed through the API; remove the line',
      'warning: a.yaml:1:1: logo stays as it is: the API cannot remove images']);
    expect(document!.after.images.logo).toMatchObject({ type: 'image/png' });
  });

  it('checks only values that differ', async () => {
    const cut = png.subarray(0, 40);
    const service = await testService();
    await service.put('/application/appearance', { as: 'root', ...multipart({ logo: ['l.png', cut] }) });
    const { current, files } = await opened('logo: cut.png\n', { service, files: { 'a.yaml': 'logo: cut.png\n', 'cut.png': cut } });
    expect((await current()).checks).toEqual([]);
    files.set('cut.png', png.subarray(0, 50));
    expect((await current()).checks).toMatchObject([{ level: 'error' }]);
  });

  it('follows the document, and the live appearance only when it is loaded again', async () => {
    const { current, refresh, files, put } = await opened('title: New\n');
    files.set('a.yaml', 'title: Newer\n');
    await put({ title: 'Theirs' });
    expect(await current()).toMatchObject({ before: { fields: { title: 'Live' } }, document: { after: { fields: { title: 'Newer' } } } });
    await refresh();
    expect((await current()).before.fields.title).toBe('Theirs');
  });

  it('reads a document from standard input once', async () => {
    const { app } = await opened();
    let reads = 0;
    const read = async () => Buffer.from(++reads === 1 ? 'title: New\n' : '');
    const { current } = await openPreview({ ...app, stdin: { ...app.stdin, read } }, {}, '-');
    expect(await current()).toMatchObject({ problem: null, document: { after: { fields: { title: 'New' } } } });
    expect(reads).toBe(1);
  });

  it('has the last good state and the problem while the document cannot be read', async () => {
    const { current, files } = await opened('title: New\n');
    for (const text of ['title: [', 'titel: x\n', 'logo: none.png\n']) {
      files.set('a.yaml', text);
      expect(await current()).toMatchObject({
        document: { after: { fields: { title: 'New' } } }, problem: { message: expect.stringMatching(/^a\.yaml:1:\d+: /) as string } });
    }
    files.delete('a.yaml');
    expect((await current()).problem!.message).toContain('cannot read a.yaml');
    files.set('a.yaml', 'title: Newest\n');
    expect(await current()).toMatchObject({ document: { after: { fields: { title: 'Newest' } } }, problem: null });
  });

  it('has the last live state and the problem while the service cannot be read', async () => {
    let isBroken = false;
    const { current, refresh } = await opened('title: New\n', { answer: () => isBroken ? json(403, { message: '403 Forbidden' }) : undefined });
    isBroken = true;
    await refresh();
    expect(await current()).toMatchObject({ before: { fields: { title: 'Live' } }, problem: { message: expect.stringContaining('403') as string } });
    isBroken = false;
    await refresh();
    expect((await current()).problem).toBeNull();
  });

  it('is not opened for a document or service that cannot be read', async () => {
    await expect(opened('title: [')).rejects.toThrow('a.yaml:1:');
    const { app } = await testApp({ answer: () => json(401, { message: '401 Unauthorized' }) });
    await expect(openPreview(app, {}, undefined)).rejects.toMatchObject({ status: 401 });
  });
});

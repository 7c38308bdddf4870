import { expect, it } from 'vitest';
import { openService } from '../../../../../src/server/index.js';
import { keyOf } from '../../../../support/inspected.js';
import { textOf } from '../../../../support/markup.js';

const shown = async (groups: object[]): Promise<string> => {
  const service = await openService({ world: { users: [{ username: 'ada' }], groups } });
  const { body } = await service.handle({ method: 'GET', target: '/-/inspector/epics', headers: keyOf(service) });
  await service.close();
  return (JSON.parse(String(body)) as { html: string }).html;
};

it('epics are shown below their parents, in their order, across groups', async () => {
  const html = await shown([
    { path: 'acme', epics: [
      { id: 1, iid: 1, title: 'Top' }, { id: 3, iid: 3, title: 'Second', parent: 1, position: 2, state: 'closed' },
      { id: 2, iid: 2, title: 'First', parent: 1, position: 1, confidential: true, labels: ['red'] },
    ] },
    { path: 'acme/sub', epics: [{ id: 9, iid: 1, title: 'Elsewhere', parent: 2 }] },
  ]);
  expect(textOf(html).replace(/\s+/g, ' ')).toBe('Epics acme&1 Top&2 First confidential · red&1 Elsewhere&3 Second closed');
  expect(html.match(/<ul/g)).toHaveLength(3);
});

it('a world without epics says so', async () => {
  expect(await shown([])).toContain('The world has no epics');
});

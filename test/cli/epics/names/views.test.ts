import { expect, it } from 'vitest';
import { epicNames, epicView, linkedEpicView } from '../../../../src/cli/epics/names.js';
import { recordRow } from '../../../../src/cli/terminal/output/table.js';
import type { Epic } from '../../../../src/contract/epics.js';
import { pipe } from '../../../support/displays.js';
import { epicApp } from '../../../support/epic-app.js';

it('a child epic has its reference, id, group, dates and title; dates that it has not are empty', async () => {
  const { service } = await epicApp();
  const { body } = await service.get<Epic[]>('/groups/acme/epics/1/epics', { as: 'reporter' });
  const epic = body.find(({ id }) => id === 504)!;
  const names = epicNames();
  names.begin(null, 'acme', epic);
  const cells = (one: Epic) => recordRow(one, epicView(names), pipe).map(({ text }) => text);
  expect(cells(epic)).toEqual(['&4', '504', 'acme', '', '', 'Epic 4']);
  expect(cells({ ...epic, group_id: 11, start_date: '2024-05-01', due_date: '2024-06-01' })).toEqual(
    ['id:504', '504', '11', '2024-05-01', '2024-06-01', 'Epic 4']);
});

it('a created epic has its reference and address', async () => {
  const { run } = await epicApp();
  const { code, out } = await run('epics', 'create', '&1', '--title', 'New', '-o', 'csv');
  expect(code).toBe(0);
  expect(out).toMatch(/^epic,id,title,url\r?\n&9,\d+,New,http:\/\/service\.test\/groups\/acme\/-\/epics\/9\r?\n$/);
  expect(linkedEpicView.columns.map(({ name }) => name)).toEqual(['epic', 'id', 'title', 'url']);
});

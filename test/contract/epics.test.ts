import { describe, expect, it } from 'vitest';
import { Epic, epics } from '../../src/contract/epics.js';
import type { Endpoint } from '../../src/contract/endpoint.js';
import { editionOf } from '../../src/contract/behavior/fact.js';
import { inEdition } from '../../src/server/api/router.js';

const all: Readonly<Record<string, Endpoint>> = epics;

describe('the operations on links of epics', () => {
  it('share the children of an epic, with the child in the path or as a parameter', () => {
    const children = '/groups/:id/epics/:epic_iid/epics';
    expect(Object.entries(all).map(([name, { method, paths }]) => [name, method, ...paths])).toEqual([
      ['list', 'GET', children], ['create', 'POST', children], ['assign', 'POST', `${children}/:child_epic_id`, children],
      ['reorder', 'PUT', `${children}/:child_epic_id`], ['unassign', 'DELETE', `${children}/:child_epic_id`],
    ]);
  });

  it('differ on their common path by a title, which only creating requires', () => {
    const requiredIn = (name: string) => Object.entries(all[name]!.params).filter(([, { required }]) => required).map(([key]) => key);
    expect(requiredIn('create')).toEqual(['id', 'epic_iid', 'title']);
    expect(requiredIn('assign')).toEqual(['id', 'epic_iid', 'child_epic_id']);
    expect(epics.create.params).not.toHaveProperty('child_epic_id');
  });

  it('page their list in the document dialect alone', () => {
    expect(Object.keys(inEdition(epics.list, editionOf('document', null)).params)).toEqual(['id', 'epic_iid', 'page', 'per_page']);
    expect(Object.keys(inEdition(epics.list, editionOf('live', null)).params)).toEqual(['id', 'epic_iid']);
  });

  it('came with one version', () => expect(new Set(Object.values(all).map(({ since }) => since))).toEqual(new Set(['11.8'])));
});

describe('an epic', () => {
  const { properties } = Epic;
  const names = Object.keys(properties) as (keyof typeof properties)[];

  it('names a replacement, which it has, for every field that is deprecated', () => {
    const deprecated = names.filter((name) => 'deprecated' in properties[name]);
    expect(deprecated).toEqual(['start_date_from_milestones', 'end_date', 'due_date_from_milestones', 'web_edit_url', 'reference']);
    for (const name of deprecated) expect(names).toContain(/^deprecated, use (\w+)$/.exec(String(properties[name].description))?.[1]);
  });

  it('leaves out the fixed dates for those who may not see them, and never the dates themselves', () => {
    expect(Epic.required).toEqual(expect.arrayContaining(['start_date', 'due_date']));
    for (const name of ['start_date_fixed', 'start_date_is_fixed', 'due_date_fixed', 'due_date_is_fixed']) expect(Epic.required).not.toContain(name);
  });
});

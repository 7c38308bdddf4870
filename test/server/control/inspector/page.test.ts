import { expect, it } from 'vitest';
import { inspectorPage } from '../../../../src/server/control/inspector/page.js';
import { inspectorStyles } from '../../../../src/server/control/inspector/styles.js';

const page = inspectorPage();

it('the page has a button for every view, and no style or script of its own', () => {
  const views = [...page.matchAll(/data-view="(\w+)"/g)].map(([, name]) => name);
  expect(views).toEqual(['requests', 'threads', 'epics', 'appearance', 'faults', 'hooks']);
  expect(page).not.toMatch(/<style|style=|<script(?! src=")|\son[a-z]+=/);
});

it('the styles are for ids that the page has', () => {
  const own = inspectorStyles.slice(inspectorStyles.indexOf('button, input'));
  const ids = [...own.replace(/\{[^{}]*\}/g, '{}').matchAll(/#([a-z][a-z-]+)\b/g)].map(([, id]) => id!);
  expect(ids.length).toBeGreaterThan(1);
  for (const id of ids) expect(page, id).toContain(`id="${id}"`);
});

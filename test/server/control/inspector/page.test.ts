import { expect, it } from 'vitest';
import { inspectorPage, viewTitles } from '../../../../src/server/control/inspector/page.js';
import { inspectorStyles } from '../../../../src/server/control/inspector/styles.js';

const page = inspectorPage();

it('the page has a button for every view, and no style or script of its own', () => {
  for (const name of Object.keys(viewTitles)) expect(page).toContain(`data-view="${name}"`);
  expect(page).not.toMatch(/<style|style=|<script(?! src=")|\son[a-z]+=/);
});

it('the styles are for ids that the page has', () => {
  const own = inspectorStyles.slice(inspectorStyles.indexOf('button, input'));
  const ids = [...own.replace(/\{[^{}]*\}/g, '{}').matchAll(/#([a-z][a-z-]+)\b/g)].map(([, id]) => id!);
  expect(ids.length).toBeGreaterThan(1);
  for (const id of ids) expect(page, id).toContain(`id="${id}"`);
});

import { expect, it } from 'vitest';
import { inspectorPage } from '../../../../src/server/control/inspector/page.js';
import { inspectorScript } from '../../../../src/server/control/inspector/script.js';

const page = inspectorPage();

it('the script of the inspector refers to elements that the page has', () => {
  const ids = [...inspectorScript.matchAll(/byId\('([^']+)'\)/g)].map(([, id]) => id!);
  expect(ids.length).toBeGreaterThan(8);
  const shown = ids.filter((one) => !['rule', 'filter'].includes(one));
  for (const id of [...shown, 'view', 'status', 'connection', 'world']) expect(page, id).toContain(`id="${id}"`);
});

it('the script runs no text', () => {
  expect(() => new Function(inspectorScript)).not.toThrow();
  expect(inspectorScript).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|eval\(|\bFunction\(/);
});

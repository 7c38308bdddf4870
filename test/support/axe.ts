import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
interface AxeResults { readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly target: unknown }[] }[] }

/** What axe finds, as `rule: selector`. */
export const violations = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe);
  const found = await page.evaluate<AxeResults>('axe.run()');
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${String(target)}`));
};

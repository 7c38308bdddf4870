import { expect, it } from 'vitest';
import { reportFormats } from '../../../src/cli/notes/findings/read.js';
import { ran } from '../../support/app.js';

it('help reports names every value of --from, and marks the tools that write nothing if they find nothing', async () => {
  const { out } = await ran('help', 'reports');
  const words = new Set(out.match(/[\w-]+/g));
  expect(reportFormats.filter((name) => !words.has(name))).toEqual([]);
  expect([...out.matchAll(/^ {2}(\S+) \* /gm)].map(([, name]) => name)).toEqual(['stylelint', 'tsc', 'go-vet', 'shellcheck-gcc', 'javac']);
});

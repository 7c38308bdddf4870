import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeVersion } from './targets.mjs';

/** The licenses of the program, of the packages in it and of Node. */
export const licenseTexts = (nodeFolder) => [
  ['Colloquy', readFileSync('LICENSE', 'utf8')],
  ['Packages in Colloquy', readFileSync('THIRD-PARTY-NOTICES.txt', 'utf8')],
  [`Node.js ${nodeVersion}`, readFileSync(join(nodeFolder, 'LICENSE'), 'utf8')],
].map(([title, text]) => `${title}\n${'='.repeat(title.length)}\n\n${text.trim()}\n`).join('\n\n');

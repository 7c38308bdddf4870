import type { App } from '../app.js';
import { plainLine } from '../plain.js';
import { painter, type Tone } from '../terminal/tones.js';
import type { Finding } from './finding.js';

const tones: Readonly<Record<Finding['state'], Tone>> = { ok: 'done', warn: 'open', fail: 'removed', skip: 'faint' };

/** Findings for a person at a terminal: a line each, and below what is wrong the way to mend it, none of it cut. */
export const findingsText = async ({ out }: App, findings: readonly Finding[]): Promise<string> => {
  const paint = await painter(out.colors);
  const width = Math.max(...findings.map(({ check }) => check.length)) + 2;
  return findings.map(({ check, state, message, remedy }) => {
    const line = `${paint(tones[state], state.padEnd(6))}${check.padEnd(width)}${plainLine(message)}\n`;
    return remedy === null ? line : `${line}${' '.repeat(width + 6)}${plainLine(remedy)}\n`;
  }).join('');
};

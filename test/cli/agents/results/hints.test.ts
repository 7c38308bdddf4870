import { expect, it } from 'vitest';
import { hintForAgents } from '../../../../src/cli/agents/results.js';

it.each([
  ['move the image to the folder of this file, or pass --allow-outside', 'move the image to the folder of this file'],
  ['correct it, or pass --allow-odd-titles to create an epic with this title', 'correct it'],
  ['name it with --project, or set COLLOQUY_PROJECT; the remote is on another host',
    'pass it with its project, such as acme/app!12; the remote is on another host'],
])('an agent has no options: %s', (hint, shown) => {
  expect(hintForAgents(hint)).toBe(shown);
});

it.each(['log in with `colloquy auth login`, or set COLLOQUY_TOKEN', 'try again, or raise --timeout'])('what the user can do stays: %s', (hint) => {
  expect(hintForAgents(hint)).toBe(hint);
});

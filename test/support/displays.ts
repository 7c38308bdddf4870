import type { Display } from '../../src/cli/terminal/output/view.js';

/** A terminal without colors and links, at noon of the tests' day. */
export const terminal: Display = {
  isTerminal: true, now: new Date('2024-05-01T12:00:00Z'), columns: 80, colors: 0, links: false, web: null,
};

/** A pipe. */
export const pipe: Display = { ...terminal, isTerminal: false, columns: Infinity };

/** A terminal that shows links to the pages of mr/1. */
export const withLinks: Display = {
  ...terminal, links: true,
  web: { container: 'https://gitlab.example.com/acme/app', noteable: 'https://gitlab.example.com/acme/app/-/merge_requests/1' },
};

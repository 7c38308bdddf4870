import type { App } from '../../src/cli/app.js';

/** A program whose outputs a test can read, to call functions with it. */
export const written = (app: App) => {
  const texts = { out: '', err: '' };
  return {
    texts,
    app: {
      ...app, out: { ...app.out, write: async (text: string) => { texts.out += text; } },
      err: { ...app.err, write: async (text: string) => { texts.err += text; } },
    },
  };
};

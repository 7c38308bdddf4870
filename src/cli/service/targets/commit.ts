import type { App } from '../../app.js';

/** Unchanged if it is one, or git knows none that starts so. */
export const fullSha = async (app: App, text: string): Promise<string> => {
  if (!/^[0-9a-f]{4,39}$/i.test(text)) return text;
  const sha = await app.tools.gitCommit(text);
  return sha?.startsWith(text.toLowerCase()) ? sha : text;
};

/** Also of a name such as `HEAD~1`; unchanged if git does not know it. */
export const shaOf = async (app: App, text: string): Promise<string> =>
  /^[0-9a-f]+$/i.test(text) ? fullSha(app, text) : await app.tools.gitCommit(text) ?? text;

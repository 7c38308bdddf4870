import type { App } from './app.js';
import { usage } from './failures.js';
import { readText } from './files.js';

/** The text of a PEM file that a flag or setting names. @throws Problem when it can't be read or is none */
export const readPem = async (app: App, path: string): Promise<string> => {
  const text = await readText(app, path);
  if (/^-----BEGIN [A-Z0-9 ]+-----$/m.test(text.replaceAll('\r', ''))) return text;
  throw usage(`${path} holds nothing in PEM form`, 'it is a text with a line like -----BEGIN CERTIFICATE-----');
};

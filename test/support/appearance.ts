import { createHash } from 'node:crypto';
import { testApp, type WorldOptions } from './app.js';
import { images } from './images.js';

export const { png } = images;

/** Another image: the same pixel, and a comment that tells it from others. */
export const otherPng = (comment: string): Buffer => Buffer.concat([png, Buffer.from(comment)]);

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A state folder whose history has these changes of texts of the service of the tests, all made. */
export const historyOf = (...changes: Record<string, readonly [before: string, after: string]>[]): Map<string, Uint8Array> => {
  const url = 'http://service.test';
  const recorded = changes.map((fields, i) => ({
    number: i + 1, time: '2024-05-01T11:00:00.000Z', command: 'appearance set', state: 'done',
    fields: Object.fromEntries(Object.entries(fields).map(([field, [before, after]]) => [field, { before, after }])),
  }));
  const file = JSON.stringify({ version: 1, url, changes: recorded });
  return new Map([[`appearance/${sha256(Buffer.from(url)).slice(0, 16)}/changes.json`, Buffer.from(file)]]);
};

/** Options of an app that may change the appearance. */
export const asRoot: WorldOptions = { env: { COLLOQUY_TOKEN: 'root-token' } };

/** An app whose service has two images and a description of several lines. */
export const appWithAppearance = async (options: WorldOptions = {}) => {
  const world = await testApp({ ...asRoot, files: { 'logo.png': png, 'icon.ico': images.ico, ...options.files }, ...options });
  await world.run('appearance', 'set', '--logo', 'logo.png', '--favicon', 'icon.ico', '--description', '# Hi\n\nthere\n', '--title', 'yes');
  return world;
};

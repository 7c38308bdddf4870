import { expect, test } from 'vitest';
import {
  readAppearance, uploadAt, uploadPath, writeAppearance, writeUpload, type UploadRow,
} from '../../../src/server/repositories/appearance.js';
import { emptyStore } from '../../support/own-store.js';

const image = (file_name: string, ...bytes: number[]): UploadRow =>
  ({ file_name, media_type: 'image/png', content: Uint8Array.from(bytes) });

test('a field has the value that was written last, and the others keep theirs', async () => {
  const database = await emptyStore();
  expect(await database.read(readAppearance)).toEqual(new Map());
  for (const [name, value] of [['title', 'One'], ['description', ''], ['title', 'Two']] as const) {
    await database.write((queries) => writeAppearance(queries, name, value));
  }
  expect(await database.read(readAppearance)).toEqual(new Map([['title', 'Two'], ['description', '']]));
});

test('an image is found by its path alone, with its escapes in either case', async () => {
  const database = await emptyStore();
  await database.write((queries) => writeUpload(queries, 'logo', image('lögo.png', 1, 2)));
  const at = (path: string) => database.read((queries) => uploadAt(queries, path));
  const path = uploadPath('logo', 'lögo.png');
  expect(path).toBe('/uploads/-/system/appearance/logo/1/l%C3%B6go.png');
  expect(await at(path)).toEqual(image('lögo.png', 1, 2));
  expect(await at(path.toLowerCase())).toEqual(image('lögo.png', 1, 2));
  for (const other of [
    decodeURI(path), path.replace('/1/', '/2/'), path.replace('/logo/', '/favicon/'), `${path}/`, `${path}?x`, path.slice(1),
    path.replace('/system', ''), '/uploads/-/system/appearance/', '/uploads/-/system/appearance/logo', '',
  ]) expect([other, await at(other)]).toEqual([other, undefined]);
});

test('a new image replaces the previous one of its place, and no other', async () => {
  const database = await emptyStore();
  const put = (mount: string, upload: UploadRow) => database.write((queries) => writeUpload(queries, mount, upload));
  await put('logo', image('a.png', 1));
  await put('favicon', image('a.png', 2));
  await put('logo', image('b.png', 3));
  const at = async (mount: string, name: string) => (await database.read((queries) => uploadAt(queries, uploadPath(mount, name))))?.content;
  expect([await at('logo', 'a.png'), await at('logo', 'b.png'), await at('favicon', 'a.png')])
    .toEqual([undefined, Uint8Array.of(3), Uint8Array.of(2)]);
});

import { setTimeout as pause } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import { texts } from './texts.mjs';

/**
 * The requests of the clients: `args` and `stdin` for the program, `call` for the library. `args` is null if the
 * program has no such command.
 */
const place = { id: 1, noteable_id: 12 };
const ref = ['mr/12', '-p', '1'];
const threadId = '1'.padStart(40, '0');

/** Longer than the socket buffers, so that a part is still unsent when the connection breaks. */
const longText = 'long text '.repeat(65_000);

const chunk = (type, data) => {
  const content = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, sum]);
};

/** A whole PNG image of the same size, most of it a text. */
export const logo = Buffer.concat([
  Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', Buffer.from('00000001000000010804000000', 'hex')),
  chunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), Buffer.alloc(650_000, 'a')])),
  chunk('IDAT', deflateSync(Buffer.alloc(3))), chunk('IEND', Buffer.alloc(0)),
]);

const upload = (filename, bytes) => ({ filename, bytes, content_type: 'image/png' });

/** These are for the program alone: the library sends a text as it is. */
const addText = (text) => ({ args: ['notes', 'add', ...ref, '-F', '-', '--json'], stdin: text });

export const commands = {
  ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, addText(text)])),
  get: { args: ['appearance', 'get', '--json'], call: (client) => client.appearance.get({}) },
  list: {
    args: ['discussions', 'list', ...ref, '--json'],
    call: (client) => client.discussions.merge_request.list(place).all(),
  },
  table: {
    args: ['discussions', 'list', ...ref, '-o', 'table'],
    call: (client) => client.discussions.merge_request.list(place).all(),
  },
  lines: {
    args: ['discussions', 'list', ...ref, '-o', 'ndjson'],
    call: async (client) => {
      let lines = '';
      for await (const page of client.discussions.merge_request.list(place).rawPages()) {
        lines += Buffer.from(page.items.lines()).toString();
      }
      return lines;
    },
  },
  post: {
    args: ['notes', 'add', ...ref, '-m', 'hello', '--json'],
    call: (client) => client.discussions.merge_request.create({ ...place, body: 'hello' }),
  },
  longPost: {
    args: ['notes', 'add', ...ref, '-F', '-', '--json'], stdin: longText,
    call: (client) => client.discussions.merge_request.create({ ...place, body: longText }),
  },
  put: {
    args: ['appearance', 'set', '--title', 'new', '--json'], call: (client) => client.appearance.set({ title: 'new' }),
  },
  upload: {
    args: ['appearance', 'set', '--logo', 'logo.png', '--json'],
    call: (client) => client.appearance.set({ logo: upload('logo.png', logo) }),
  },
  oddUpload: {
    args: ['appearance', 'set', '--logo', '100%.png', '--json'],
    call: (client) => client.appearance.set({ logo: upload('100%.png', logo) }),
  },
  remove: {
    args: ['notes', 'delete', ...ref, '7', '--thread', threadId, '--yes'],
    call: (client) => client.discussions.merge_request.deleteNote({ ...place, discussion_id: threadId, note_id: 7 }),
  },
  raw: { args: ['api', 'GET', 'application/appearance'], call: (client) => client.appearance.get({}) },
  rawList: {
    args: ['api', 'GET', 'projects/1/merge_requests/12/discussions', '--all'],
    call: (client) => client.discussions.merge_request.list(place).all(),
  },
  getThenPost: {
    args: ['notes', 'add', 'epic/3', '-g', '1', '-m', 'hello', '--json'],
    call: async (client) => {
      await client.appearance.get({});
      return client.discussions.merge_request.create({ ...place, body: 'hello' });
    },
  },
  getTwice: {
    args: null,
    call: async (client) => {
      const first = await client.appearance.get({});
      await pause(1_000);
      return [first, await client.appearance.get({})];
    },
  },
  rawPost: {
    args: ['api', 'POST', 'projects/1/merge_requests/12/discussions', '-f', 'body=hello'],
    call: (client) => client.discussions.merge_request.create({ ...place, body: 'hello' }),
  },
  view: {
    args: ['discussions', 'get', ...ref, threadId, '-o', 'table'],
    call: (client) => client.discussions.merge_request.get({ ...place, discussion_id: threadId }),
  },
  login: {
    args: ['auth', 'login', '--with-token'], stdin: 'another-token\n', call: (client) => client.appearance.get({}),
  },
  doctor: { args: ['doctor'], call: (client) => client.appearance.get({}) },
};

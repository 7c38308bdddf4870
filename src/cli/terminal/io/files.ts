import { closeSync, constants, fstatSync, ftruncateSync, openSync, type Stats, statSync, writeSync } from 'node:fs';
import { lstat, open, readdir, realpath, rename, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { Socket } from 'node:net';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { isatty, ReadStream } from 'node:tty';
import type { FileKind, OpenFile } from '../../app.js';
import { largestInput } from './streams.js';

/**
 * Only the owner can read the file; readers see the former content or all of the new one. A device or a pipe takes the
 * content: in its place, a file would be in the way of other programs. Only one part is in memory at a time; rejects
 * with the error of the parts. @param unfinished the file until it is whole; a fixed one needs a lock
 */
export const writeWhole = async (
  path: string, content: string | Uint8Array | AsyncIterable<string>,
  unfinished = `${path}.${Math.random().toString(36).slice(2)}.part`,
): Promise<void> => {
  const write = (file: FileHandle) => writeFile(file, content);
  if (await kindOf(path) !== 'stream') {
    return replaceFile(path, unfinished, () => withFile(unfinished, 'wx', write));
  }
  // A pipe that nobody reads is an error at once with this flag, where writing without it would wait for a reader.
  return withFile(path, constants.O_WRONLY | constants.O_NONBLOCK, () => withFile(path, constants.O_WRONLY, write));
};

/** As `writeWhole`, for content that must survive a power cut, where a lock or the name of the file excludes others. */
export const writeDurably = (path: string, content: string | Uint8Array): Promise<void> =>
  replaceFile(path, `${path}.part`, () => createDurably(`${path}.part`, content));

/** Only the owner can read the file; its content survives a power cut. A part that a full disk took is removed. */
export const createDurably = (path: string, content: string | Uint8Array): Promise<void> =>
  withFile(path, 'wx', async (file) => {
    try {
      await file.writeFile(content);
      await file.sync();
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  });

/** Only the owner can read the file; the text survives a power cut. */
export const appendDurably = (path: string, text: string): Promise<void> => withFile(path, 'a', async (file) => {
  await file.writeFile(text);
  await file.datasync();
});

export const openToAppend = async (path: string): Promise<OpenFile> => {
  const file = openSync(path, 'a', 0o600);
  let space = Buffer.allocUnsafe(0);
  let appended = 0;
  const append = (text: string): void => {
    const most = 3 * text.length;
    if (space.length < most) space = Buffer.allocUnsafe(2 * most);
    const bytes = space.subarray(0, space.write(text));
    let done = 0;
    try {
      while (done < bytes.length) done += writeSync(file, bytes, done);
      appended += done;
    } catch (error) {
      if (done > 0) shorten(file, done);
      throw error;
    }
  };
  return { append, isInPlace: () => isAt(path, fstatSync(file), appended) };
};

const isAt = (path: string, { dev, ino }: Stats, size: number): boolean => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.dev === dev && found.ino === ino && found.size >= size;
};

/** By the part of a text that a full disk still took. Pipes and devices cannot be shortened. */
const shorten = (file: number, bytes: number): void => {
  try {
    ftruncateSync(file, fstatSync(file).size - bytes);
  } catch {
    // The error of the write says what is wrong.
  }
};

/** A device or a pipe is a `stream`, by a link too. Null if there is nothing, or nothing that can be looked at. */
export const kindOf = async (path: string): Promise<FileKind | null> => {
  const [named, target] = await Promise.all([lstat(path).catch(() => null), stat(path).catch(() => null)]);
  if (target !== null && !target.isFile() && !target.isDirectory()) return 'stream';
  return named === null ? null : named.isSymbolicLink() ? 'link' : named.isDirectory() ? 'folder' : 'file';
};

const withFile = async <T>(
  path: string, flags: string | number, work: (file: FileHandle) => Promise<T>,
): Promise<T> => {
  const file = await open(path, flags, 0o600);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
};

/** What a killed run left of an unfinished file goes. */
const replaceFile = async (path: string, unfinished: string, write: () => Promise<void>): Promise<void> => {
  await rm(unfinished, { force: true });
  try {
    await write();
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
};

/**
 * @param folder where the file must be, after all links are resolved; anywhere if omitted
 * @throws an error with the code `ENOTFILE` for another kind of file, `EFBIG`, `EOUTSIDE`; the system's errors
 */
export const readLimitedFile = (path: string, most: number, folder?: string): Promise<Uint8Array> =>
  withFile(path, withoutWaiting, async (file) => {
    const stats = await file.stat();
    if (stats.isDirectory()) throw coded('EISDIR');
    if (!stats.isFile()) throw coded('ENOTFILE');
    if (folder !== undefined && !await isInside(file, path, folder)) throw coded('EOUTSIDE');
    return readBytes(file, most);
  });

export const filesBelow = async (folder: string, most: number): Promise<readonly string[] | null> => {
  const found: string[] = [];
  const folders = [''];
  let left = most;
  for (let below = folders.pop(); below !== undefined; below = folders.pop()) {
    const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => []);
    if (entries.length > left) return null;
    left -= entries.length;
    for (const entry of entries) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isFile()) found.push(path);
      else if (entry.isDirectory() && !['.git', 'node_modules'].includes(entry.name)) folders.push(path);
    }
  }
  return found;
};

/** A path that has been replaced since it was opened counts as outside, and so do git's own files: they have tokens. */
const isInside = async (file: FileHandle, path: string, folder: string): Promise<boolean> => {
  const [real, root] = await Promise.all([realpath(path), realpath(folder)]);
  if (!isBelow(root, real) || relative(root, real).toLowerCase().split(sep).includes('.git')) return false;
  const [opened, named] = await Promise.all([file.stat({ bigint: true }), stat(real, { bigint: true })]);
  return opened.dev === named.dev && opened.ino === named.ino;
};

const isBelow = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

export const realPathBelow = async (path: string, folder: string): Promise<string | null> => {
  const [real, root] = await Promise.all([path, folder].map((one) => realpath(one).catch(() => null)));
  return real && root && isBelow(root, real) ? relative(root, real).replaceAll(sep, '/') : null;
};

/** The first of the folders that contains the path, by its words or by the folder that the path is in. */
export const firstContaining = async (folders: readonly string[], path: string): Promise<string | undefined> => {
  const real = (one: string) => realpath(one).catch(() => resolve(one));
  const parent = await real(dirname(path));
  for (const folder of folders) {
    const root = await real(folder);
    if (isBelow(resolve(folder), resolve(path)) || isBelow(root, resolve(path)) || isBelow(root, parent)) return folder;
  }
  return undefined;
};

/**
 * Reads a regular file, a pipe or a device. A pipe is waited for like a socket, because a thread that waits in a system
 * call keeps the process from ending.
 * @throws an error with the code `EFBIG` above `largestInput`, `EISDIR`; the system's errors; the signal's reason
 */
export const readAny = async (path: string, signal: AbortSignal): Promise<Uint8Array> => {
  const stream = await waitingStream(path);
  if (stream) return readStream(stream, signal);
  return withFile(path, withoutWaiting, async (file) => {
    const stats = await file.stat();
    if (stats.isDirectory()) throw coded('EISDIR');
    if (stats.isFIFO()) throw coded('ENOTFILE');
    return readBytes(file, largestInput);
  });
};

/** Opening a pipe would wait for a writer. */
const withoutWaiting = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Opened once: a writer gets an error when its reader goes. Null for another kind of file. */
const waitingStream = async (path: string): Promise<Readable | null> => {
  const stats = await stat(path);
  if (!stats.isFIFO() && !stats.isCharacterDevice()) return null;
  const fd = openSync(path, withoutWaiting);
  if (isatty(fd)) return new ReadStream(fd);
  if (stats.isFIFO()) return new Socket({ fd, readable: true, writable: false });
  closeSync(fd);
  return null;
};

/** @throws an error with the code `EFBIG` above `largestInput`; errors of the stream; the signal's reason */
export const readStream = async (stream: Readable, signal: AbortSignal): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const stop = () => { stream.destroy(); };
  signal.addEventListener('abort', stop);
  try {
    for await (const chunk of stream) {
      chunks.push(chunk as Uint8Array);
      length += (chunk as Uint8Array).length;
      if (length > largestInput) throw coded('EFBIG');
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  signal.throwIfAborted();
  return Buffer.concat(chunks);
};

/** Files in /proc have the size 0, and others can grow. */
const readBytes = async (file: FileHandle, most: number): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  for (let length = 0; ;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(65_536), 0, 65_536, null);
    if (bytesRead === 0) return Buffer.concat(chunks);
    chunks.push(buffer.subarray(0, bytesRead));
    length += bytesRead;
    if (length > most) throw coded('EFBIG');
  }
};

export const coded = (code: string, message: string = code): Error => Object.assign(new Error(message), { code });

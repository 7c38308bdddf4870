import { PassThrough, Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { describe, expect, it } from 'vitest';
import type { App } from '../../../../src/cli/app.js';
import { StdoutClosed } from '../../../../src/cli/command-line/failure.js';
import {
  ignoringErrors, outputTo, readBytes, readLimited, readPem, readProblem, readText, throwIfClosed, utf8, writingTo,
} from '../../../../src/cli/terminal/io/streams.js';
import { testApp } from '../../../support/app.js';

const failing = (code: string) => Object.assign(new Error('no'), { code });
/** An app whose files all fail in the same way. */
const appWithout = async (error: Error): Promise<App> => {
  const { app } = await testApp();
  const fail = async () => { throw error; };
  return { ...app, files: { ...app.files, read: fail, readLimited: fail }, stdin: { isTerminal: false, read: fail } };
};
const appWith = async (files: Readonly<Record<string, string | Uint8Array>>, stdin = '') => (await testApp({ files, stdin })).app;

describe('an output', () => {
  const opening = (stream: Writable) => {
    let opened = 0;
    const output = outputTo(1, () => { opened++; return stream as unknown as WriteStream; }, {});
    return { output, opened: () => opened };
  };

  it('opens its stream with the first write', async () => {
    const stream = new PassThrough();
    const { output, opened } = opening(stream);
    expect(opened()).toBe(0);
    await output.write('text');
    await output.writeBytes(Uint8Array.of(0xff));
    expect(stream.read()).toEqual(Buffer.concat([Buffer.from('text'), Buffer.of(0xff)]));
  });

  it('has no commands for the log of a job, except for programs', async () => {
    const written = async (file: 1 | 2, env: Readonly<Record<string, string>>) => {
      const stream = new PassThrough();
      await outputTo(file, () => stream as unknown as WriteStream, env).write('a ###[add-mask]e ##VSO[x] ## [b]\n \t::stop-commands::x\na ::b\n::c\n');
      return String(stream.read());
    };
    const inert = 'a ##\\u0023[add-mask]e #\\u0023VSO[x] ## [b]\n \t\\u003a:stop-commands::x\na ::b\n\\u003a:c\n';
    expect(await written(2, { GITHUB_ACTIONS: 'true' })).toBe(inert);
    expect(await written(2, { TF_BUILD: 'True' })).toBe(inert);
    for (const [file, env] of [[1, { GITHUB_ACTIONS: 'true' }], [2, {}]] as const) expect(await written(file, env)).toContain(']e ##VSO[x]');
  });

  it('waits until a slow reader has taken the text', async () => {
    const taken: (() => void)[] = [];
    const { output } = opening(new Writable({ write: (_, __, done) => { taken.push(done); } }));
    const state = { isWritten: false };
    const written = output.write('text').then(() => { state.isWritten = true; });
    await new Promise((resolve) => { setImmediate(resolve); });
    expect(state.isWritten).toBe(false);
    taken[0]!();
    await written;
    expect(state.isWritten).toBe(true);
  });

  it('opens no stream for an empty text, which is written after what came before it', async () => {
    const taken: (() => void)[] = [];
    const { output, opened } = opening(new Writable({ write: (_, __, done) => { taken.push(done); } }));
    await output.write('');
    expect(opened()).toBe(0);
    const state = { isWritten: false };
    const text = output.write('text');
    const written = output.write('').then(() => { state.isWritten = true; });
    await new Promise((resolve) => { setImmediate(resolve); });
    expect(state.isWritten).toBe(false);
    taken[0]!();
    await text;
    await new Promise((resolve) => { setImmediate(resolve); });
    taken[1]?.();
    await written;
    expect(state.isWritten).toBe(true);
  });

  const broken = (file: 1 | 2, code: string) =>
    outputTo(file, () => new Writable({ write: (_, __, done) => { done(failing(code)); } }) as unknown as WriteStream, {});

  it('that nobody reads any more is closed, and drops what is written', async () => {
    const output = broken(1, 'EPIPE');
    expect(() => { throwIfClosed(output); }).not.toThrow();
    await output.write('x');
    await output.writeBytes(Uint8Array.of(1));
    expect(() => { throwIfClosed(output); }).toThrow(StdoutClosed);
    await expect(broken(1, 'ENOSPC').write('x')).rejects.toMatchObject({ code: 'ENOSPC' });
  });

  it('may ignore its errors', async () => {
    await expect(ignoringErrors(broken(2, 'ENOSPC')).write('x')).resolves.toBeUndefined();
  });
});

describe('a file that the user named', () => {
  it('is read, and - is standard input', async () => {
    const app = await appWith({ 'a.txt': 'file' }, 'piped');
    expect(Buffer.from(await readBytes(app, 'a.txt')).toString()).toBe('file');
    expect(Buffer.from(await readBytes(app, '-')).toString()).toBe('piped');
    expect(await readText(app, 'a.txt')).toBe('file');
  });

  it.each([
    ['ENOENT', 'no such file'], ['ENOTDIR', 'no such file'], ['EISDIR', 'it is a folder'], ['EACCES', 'permission denied'],
    ['EFBIG', 'it is larger than 268435456 bytes'], ['ENXIO', 'it is not a regular file'], ['EIO', 'EIO'],
  ])('that cannot be read says why: %s', async (code, reason) => {
    const app = await appWithout(failing(code));
    await expect(readBytes(app, 'a.txt')).rejects.toMatchObject({ code: 'usage', message: `cannot read a.txt: ${reason}`, hint: 'check the path' });
    await expect(readBytes(app, '-', '--from')).rejects.toMatchObject({ message: `cannot read standard input: ${reason}`, hint: 'check --from' });
    await expect(readBytes(app, '')).rejects.toMatchObject({ message: `cannot read an empty path: ${reason}` });
  });

  it('leaves an interruption as it is', async () => {
    const reason = new Error('interrupted');
    const app = await appWithout(reason);
    await expect(readBytes({ ...app, signal: AbortSignal.abort() }, 'a.txt')).rejects.toBe(reason);
  });

  it('may be no larger than a limit', async () => {
    const app = await appWith({ 'a.txt': '12345' }, '12345');
    for (const path of ['a.txt', '-']) expect(await readLimited(app, path, 5)).toHaveLength(5);
    await expect(readLimited(app, 'a.txt', 4)).rejects.toMatchObject({ code: 'usage', message: 'cannot read a.txt: it is larger than 4 bytes' });
    await expect(readLimited(app, '-', 4)).rejects.toMatchObject({ code: 'usage', message: 'standard input is larger than 4 bytes' });
    await expect(readLimited(app, '', 4)).rejects.toMatchObject({ message: 'cannot read an empty path: no such file' });
  });

  it.each([['ENOTFILE', 'it is not a regular file'], ['EOUTSIDE', 'it is outside the folder']])('must be where and what it should be: %s', (code, reason) => {
    expect(readProblem(failing(code))).toBe(reason);
  });

  it('names an error without a code', () => {
    expect(readProblem(new Error('odd'))).toBe('Error: odd');
  });
});

describe('a text', () => {
  it.each([Uint8Array.of(0xff), Uint8Array.of(0xc3), Buffer.from('ä', 'latin1'), Uint8Array.of(0xed, 0xa0, 0x80)])('is UTF-8: %j', (bytes) => {
    expect(() => utf8(bytes, 'a.txt')).toThrow('a.txt is not UTF-8 text');
    expect(() => utf8(bytes, '-')).toThrow('standard input is not UTF-8 text');
  });

  it('loses its byte order mark', () => {
    expect(utf8(Buffer.from('\ufeffä'), 'a.txt')).toBe('ä');
  });
});

describe('a PEM file', () => {
  const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';

  const key = pem.replaceAll('CERTIFICATE', 'RSA PRIVATE KEY');
  const read = async (text: string, from: string) => readPem(await appWith({ 'a.pem': text }), 'a.pem', from);

  it.each([
    [pem, '--client-cert'], [`text before\n${pem}`, '--client-cert'], [pem.replaceAll('\n', '\r\n'), '--ca-cert'],
    [key, '--client-key'], [key, '--tls-key'], [pem + key, '--client-key'], [`-----BEGIN EC PARAMETERS-----\n${key}`, 'client-key of profile work'],
  ])('is read as it is: %j for %s', async (text, from) => {
    expect(await read(text, from)).toBe(text);
  });

  it.each([
    [key, '--ca-cert', 'certificate'], [key, '--tls-cert', 'certificate'], [pem, '--client-key', 'private key'],
    [pem.replaceAll('CERTIFICATE', 'PUBLIC KEY'), 'client-key of profile work', 'private key'],
  ])('has what it is for: %j for %s', async (text, from, part) => {
    await expect(read(text, from)).rejects.toMatchObject({
      code: 'usage', message: `a.pem has no ${part}`, hint: `set ${from} to the file with the ${part}` });
  });

  it.each([
    key.replaceAll('RSA PRIVATE', 'ENCRYPTED PRIVATE'), key.replace('MIIB', 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nMIIB'),
  ])('with a private key has no passphrase: %j', async (text) => {
    await expect(read(text, '--client-key')).rejects.toMatchObject({
      code: 'usage', message: 'the private key in a.pem has a passphrase', hint: expect.stringContaining('set --client-key to a copy') as string });
  });

  it.each(['', 'MIIB', ' -----BEGIN CERTIFICATE-----', '-----BEGIN certificate-----', '-----BEGIN CERTIFICATE----- x'])(
    'has a line that begins it: %j', async (text) => {
      await expect(readPem(await appWith({ 'ca.pem': text }), 'ca.pem', '--ca-cert')).rejects.toMatchObject({
        code: 'usage', message: 'ca.pem is not a PEM file', hint: 'set --ca-cert to a text file with a line like -----BEGIN CERTIFICATE-----',
      });
    });

  it('that is missing names the setting to check', async () => {
    await expect(readPem(await appWith({}), 'ca.pem', 'ca_cert of profile work')).rejects.toMatchObject({
      message: 'cannot read ca.pem: no such file', hint: 'check ca_cert of profile work',
    });
  });
});

describe('a file to write', () => {
  it.each([
    ['ENOENT', 'no such folder'], ['ENOTDIR', 'no such folder'], ['EISDIR', 'it is a folder'], ['EACCES', 'permission denied'],
    ['EROFS', 'the disk is read-only'],
  ])('that cannot be written says why: %s', async (code, reason) => {
    await expect(writingTo('out.yaml', async () => { throw failing(code); }))
      .rejects.toMatchObject({ code: 'usage', message: `cannot write out.yaml: ${reason}`, hint: 'check the path' });
  });

  it('names a file that the disk cannot hold, and leaves other errors as they are', async () => {
    const error = failing('EIO');
    for (const [code, reason, hint] of [
      ['ENOSPC', 'the disk is full', 'free some space'], ['EDQUOT', 'the disk quota is exceeded', 'free some space'],
      ['EFBIG', 'the file is larger than the system allows', 'write less, or raise the limit'],
    ] as const) {
      await expect(writingTo('out.yaml', async () => { throw failing(code); }))
        .rejects.toMatchObject({ code: 'failure', message: `cannot write out.yaml: ${reason}`, hint });
    }
    await expect(writingTo('out.yaml', async () => { throw error; })).rejects.toBe(error);
    await expect(writingTo('out.yaml', async () => undefined)).resolves.toBeUndefined();
  });
});

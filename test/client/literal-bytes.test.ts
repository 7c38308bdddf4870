import { describe, expect, test } from 'vitest';
import type { Client } from '../../src/client/methods.js';
import { onWire } from './support/on-wire.js';

const lines = (...all: string[]): string => all.join('\r\n');

/** The header lines in sorted order with lower-case names: order and case have no meaning in HTTP. */
const sortedHeaders = (message: string): string => {
  const [head, ...body] = message.split('\r\n\r\n');
  const [first, ...headers] = head!.split('\r\n');
  return [lines(first!, ...headers.map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase())).sort()), ...body].join('\r\n\r\n');
};

describe('the exact bytes of', () => {
  test('a request without a body', async () => {
    expect(await onWire((client) => client.appearance.get({}))).toBe(lines(
      'GET /gitlab/api/v4/application/appearance HTTP/1.1',
      'host: HOST',
      'connection: keep-alive',
      'user-agent: test',
      'private-token: abc',
      'accept: application/json',
      '', ''));
  });

  test('a request with JSON', async () => {
    const call = (client: Client) =>
      client.discussions.issue.create({ id: 'group/my app', noteable_id: 7, body: 'a+b "ä"', created_at: '2024-01-02T03:04:05Z' });
    expect(Buffer.from(await onWire(call), 'latin1').toString()).toBe(lines(
      'POST /gitlab/api/v4/projects/group%2Fmy%20app/issues/7/discussions HTTP/1.1',
      'host: HOST',
      'connection: keep-alive',
      'user-agent: test',
      'private-token: abc',
      'accept: application/json',
      'content-type: application/json',
      'content-length: 57',
      '',
      '{"body":"a+b \\"ä\\"","created_at":"2024-01-02T03:04:05Z"}'));
  });

  test('a form with a file', async () => {
    const call = (client: Client) =>
      client.appearance.set({ title: 'T', logo: { filename: 'logo.png', bytes: Uint8Array.of(0x89, 0x50, 0x0d, 0x0a) } });
    const arrived = await onWire(call);
    const boundary = /boundary=(\S+)/.exec(arrived)![1]!;
    expect(arrived.replaceAll(boundary, 'BOUNDARY').replace(/content-length: \d+/, 'content-length: N')).toBe(lines(
      'PUT /gitlab/api/v4/application/appearance HTTP/1.1',
      'host: HOST',
      'connection: keep-alive',
      'user-agent: test',
      'private-token: abc',
      'accept: application/json',
      'content-type: multipart/form-data; boundary=BOUNDARY',
      'content-length: N',
      '',
      '--BOUNDARY',
      'Content-Disposition: form-data; name="title"',
      '',
      'T',
      '--BOUNDARY',
      'Content-Disposition: form-data; name="logo"; filename="logo.png"',
      'Content-Type: image/png',
      '',
      '\x89P\r\n',
      '--BOUNDARY--',
      ''));
  });
});

describe('node:http sends the same, with the headers in another order', () => {
  const boundary = (message: string) => message.replaceAll(/boundary=(\S+)/.exec(message)?.[1] ?? '-', '-');
  const id = { id: 5, noteable_id: 7 };
  test.each<[string, (client: Client) => Promise<unknown>]>([
    ['without a body', (client) => client.appearance.get({})],
    ['with JSON', (client) => client.discussions.issue.create({ ...id, body: 'a+b "ä"' })],
    ['with a file', (client) => client.appearance.set({ logo: { filename: 'ä".png', bytes: Uint8Array.of(0x89, 0x0d, 0x0a) } })],
    ['that changes without a body', (client) => client.epics.assign({ id: 1, iid: 5, child_epic_id: 22 })],
    ['that deletes', (client) => client.discussions.issue.deleteNote({ ...id, discussion_id: 'a'.repeat(40), note_id: 3 })],
  ])('for a request %s', async (_, call) => {
    const [byUndici, byNode] = [await onWire(call), await onWire(call, 'node')].map(boundary).map(sortedHeaders);
    expect(byNode).toBe(byUndici);
  });
});

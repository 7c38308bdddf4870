import { describe, expect, it } from 'vitest';
import { RecordingError } from '../../src/recording/exchange.js';
import { readRecording } from '../../src/recording/read.js';
import { createReplay } from '../../src/recording/replay.js';

const header = (name: string, value: string) => ({ name, value });
const entry = (url: string, response: object = {}, request: object = {}) => ({
  startedDateTime: '2024-05-01T12:00:00.000Z', time: 12.5,
  request: { method: 'get', url, headers: [header('PRIVATE-TOKEN', 'secret'), header('Cookie', 'a=b'), header(':authority', 'x')], ...request },
  response: { status: 200, headers: [header('Content-Type', 'application/json'), header('content-encoding', 'br')], content: { text: '{}' }, ...response },
});
const archive = (...entries: object[]) => JSON.stringify({ log: { version: '1.2', entries } });
const base = 'https://git.example/tools';

describe('an archive', () => {
  it('has the requests to the service that most of them went to, with its address in place of the recorded one', () => {
    const text = archive(
      entry(`${base}/api/v4/user?private_token=secret#x`, { content: { text: `{"web_url":"${base}/ada"}` } }),
      entry(`${base}/uploads/a.png`, { content: { text: 'AAEC', encoding: 'base64' } }),
      entry('https://elsewhere.example/api/v4/user'), entry(`${base}/api/v4/version`, { status: 0 }),
    );
    const read = readRecording(text, 'a.har');
    expect(read.map(({ request, response }) => [request.method, request.target, response.body])).toEqual([
      ['GET', '/api/v4/user?private_token=[redacted]', '{"web_url":"http://recorded.invalid/ada"}'], ['GET', '/uploads/a.png', { base64: 'AAEC' }]]);
    expect(Object.keys(read[0]!.request.headers)).toEqual(['private-token']);
    expect(JSON.stringify(read)).not.toContain('secret');
    expect(read[0]!.response.headers).toEqual({ 'content-type': 'application/json' });
  });

  it('has headers that can be sent, and no requests without a response', () => {
    const headers = [header('a', 'x\ny'), header('b', '\u20ac'), header('c d', 'x'), header('e', 'x')];
    const read = readRecording(archive(entry(`${base}/api/v4/user`, { headers }), ...[0, -1, 101].map((status) => entry(`${base}/api/v4/user`,
      { status }))), 'a.har');
    expect(read.map(({ response }) => response.headers)).toEqual([{ a: 'x, y', e: 'x' }]);
  });

  it('says which responses it does not have: those without a body that was there, and requests without a response', () => {
    const damage: string[] = [];
    const noBody = { content: { size: 1200 } };
    const read = readRecording(archive(entry(`${base}/api/v4/user`), entry(`${base}/api/v4/version`, noBody), entry('https://elsewhere.example/x', noBody),
      entry(`${base}/api/v4/user`, { status: 0 }), entry(`${base}/api/v4/user`, { status: 204, content: { size: 0 } }),
      entry(`${base}/api/v4/user`, { status: 304, ...noBody }), entry(`${base}/api/v4/user`, noBody, { method: 'HEAD' })),
    'a.har', ({ problem }) => { damage.push(problem); });
    expect(damage).toEqual(['a.har: log.entries[1] has no body, of 1200 bytes', 'a.har: log.entries[3] has no response']);
    expect(read.map(({ response }) => response.status)).toEqual([200, 204, 304, 200]);
  });

  it('says which bodies were cut: text that is shorter than its size and not JSON, and what the archive calls truncated', () => {
    const damage: string[] = [];
    const cut = { size: 5_000, text: '{"id":2,"user' };
    const bodies: [object, boolean][] = [
      [cut, true], [{ ...cut, encoding: 'base64', text: 'AAEC' }, true], [{ ...cut, text: '' }, true],
      // A text without its byte order mark, in Latin-1, or without a secret, and the size of gzip as mitmproxy gives it.
      [{ size: 5, text: 'ok' }, false], [{ size: 4, text: 'caf\u00e9' }, false], [{ size: 5_000, text: '{"token":"[redacted]"}' }, false],
      [{ size: 22, compression: -20, text: 'ok' }, false], [{ size: -1, text: 'ok' }, false],
    ];
    const read = readRecording(archive(...bodies.map(([content]) => entry(`${base}/api/v4/user`, { content })),
      entry(`${base}/api/v4/user`, { content: cut }, { method: 'HEAD' }), { ...entry(`${base}/api/v4/user`), comment: 'truncated: body of the request' }),
    'a.har', ({ problem }) => { damage.push(problem); });
    expect(damage).toEqual([0, 1, 2, 9].map((i) => `a.har: log.entries[${i}] has a cut body`));
    expect(read).toHaveLength(bodies.filter(([, isCut]) => !isCut).length + 1);
  });

  it('is replayed by the bodies of changes', () => {
    const post = (body: string, text: string) => entry(`${base}/api/v4/x`, { status: 201, content: { text } }, { method: 'POST', postData: { text: body } });
    const { answer } = createReplay(readRecording(archive(post('one', '1'), post('two', '2')), 'a.har'));
    expect(answer({ method: 'POST', target: '/api/v4/x', headers: {}, body: 'two' })?.body).toBe('2');
    expect(answer({ method: 'POST', target: '/api/v4/x', headers: {}, body: 'three' })).toBeNull();
  });

  it.each([
    [archive(entry(`${base}/api/v4/user`, { status: 99_999 })), 'a.har: log.entries[0].response.status: expected a status from 200 to 999, not 99999'],
    [archive({ request: {} }), 'a.har: log.entries[0].startedDateTime: '], [archive(entry('https://git.example/')), 'a.har has no request to /api/v4'],
    [archive(), 'a.har has no request to /api/v4'], ['{"log":{"entries":', 'a.har has no exchanges'],
  ])('that cannot be used says why: %s', (text, message) => {
    expect(() => readRecording(text, 'a.har')).toThrow(RecordingError);
    expect(() => readRecording(text, 'a.har')).toThrow(message);
  });
});

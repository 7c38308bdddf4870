import { describe, expect, it } from 'vitest';
import { printExchange, recordedBody, recordedBytes, type RecordedExchange, RecordingError } from '../../src/recording/exchange.js';
import { cutLine, readRecording } from '../../src/recording/read.js';

const exchange: RecordedExchange = {
  time: '2024-05-01T12:00:00.000Z', duration: 3, user: { id: 1, username: 'abc' },
  request: { method: 'GET', target: '/api/v4/user', headers: {}, body: '' }, response: { status: 200, headers: {}, body: '{}' },
};

describe('a recording', () => {
  it('is read as it was printed, without a last line that was cut off', () => {
    const text = printExchange(exchange) + printExchange({ ...exchange, duration: 4 });
    expect(readRecording(`${text}{"time":`, 'a')).toEqual([exchange, { ...exchange, duration: 4 }]);
  });

  it('has its last line too if only the line break is missing', () => {
    const line = printExchange(exchange);
    expect(readRecording(line + line.trimEnd(), 'a')).toEqual([exchange, exchange]);
    expect([line, line.trimEnd(), '{\n"log": {}\n}', `${line}{"time":`, '{"time":'].map(cutLine)).toEqual([null, null, null, 2, 1]);
  });

  it.each<readonly [text: string, message: string]>([
    ['', 'a has no exchanges'], ['{"time":', 'a has no exchanges'], ['nonsense\n', 'a:1: not JSON'],
    [`${JSON.stringify(exchange)}\n{}\n`, 'a:2: not an exchange: /time'],
    ...[0, 99_999, 100, 199, 1_000, -1, 200.5].map((status) => [
      `${JSON.stringify({ ...exchange, response: { ...exchange.response, status } })}\n`,
      `a:1: not an exchange: /response/status: expected a status from 200 to 999, not ${status}`,
    ] as const),
    ...[{ 'a b': 'x' }, { a: 'x\ny' }, { a: '\u20ac' }, { '': 'x' }].map((headers) => [
      `${JSON.stringify({ ...exchange, response: { ...exchange.response, headers } })}\n`, 'a:1: not an exchange: /response/headers',
    ] as const),
  ])('that is %j says what is wrong and where', (text, message) => {
    expect(() => readRecording(text, 'a')).toThrow(RecordingError);
    expect(() => readRecording(text, 'a')).toThrow(message);
  });
});

it.each([['text', 'é\n'], ['bytes', Buffer.from([0xff, 0, 1])], ['a byte order mark', Buffer.from('\ufeffx')], ['nothing', Buffer.alloc(0)]])(
  'a body keeps %s', (_, body) => {
    expect(Buffer.from(recordedBytes(JSON.parse(JSON.stringify(recordedBody(body))) as string))).toEqual(Buffer.from(body));
  });

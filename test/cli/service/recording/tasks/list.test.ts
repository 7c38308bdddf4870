import { expect, it } from 'vitest';
import { printExchange } from '../../../../../src/recording/exchange.js';
import { testApp } from '../../../../support/app.js';
import { everyRow } from '../../../../support/rows.js';

const recording = printExchange({
  time: '2024-05-01T12:00:00Z', duration: 3, user: { id: 1, username: 'xyz' },
  request: { method: 'POST', target: '/api/v4/user\u001b[2J', headers: {}, body: 'é' }, response: { status: 201, headers: {}, body: { base64: 'AAEC' } },
});
const list = async (...words: string[]) => (await testApp({ files: { 'a.ndjson': recording + recording } })).run('serve', 'recording', ...words);

it('serve recording lists requests with their users and sizes', async () => {
  const { code, out } = await list('a.ndjson');
  expect([code, out]).toEqual([0, expect.stringMatching(/1\s+201\s+POST\s+\/api\/v4\/user\\u001b\[2J\s+xyz\s+2 B\s+3 B/)]);
  const json = await list('a.ndjson', '--json');
  expect(JSON.parse(json.out)).toMatchObject([{ number: 1, user: 'xyz', request_size: 2, response_size: 3, duration: 3 }, { number: 2 }]);
});

it('serve recording lists what a damaged file has, and then fails with the lines', async () => {
  const cut = Buffer.from(recording).subarray(0, Buffer.from(recording).indexOf(0xc3) + 1);
  const whole = Buffer.from(recording);
  await everyRow([
    [[whole, cut], 'a.ndjson:2: the line is cut; its exchange and later ones are missing', 1],
    [[whole, Buffer.from('{"time":\n'), whole], 'a.ndjson:2: not JSON', 2],
    [[whole, Buffer.from('x\n{}\n'), cut], 'a.ndjson:2: not JSON; 2 other exchanges cannot be read', 1],
  ] as const, ([, message]) => message, async ([parts, message, count]) => {
    const { run } = await testApp({ files: { 'a.ndjson': Buffer.concat(parts) } });
    const { code, out, err } = await run('serve', 'recording', 'a.ndjson', '-o', 'id');
    expect([code, out.trim().split('\n').length, err]).toEqual([2, count, `colloquy: ${message}\nrecord the requests again\n`]);
  });
});

it.each([[[], 'recording takes one file, not 0'], [['a.ndjson', 'b'], 'recording takes one file, not 2'], [['b'], 'b']])(
  'serve recording %j is refused', async (words, message) => {
    expect(await list(...words)).toMatchObject({ code: 2, err: expect.stringContaining(message) as string });
  });

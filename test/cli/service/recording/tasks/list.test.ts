import { expect, it } from 'vitest';
import { printExchange } from '../../../../../src/recording/exchange.js';
import { testApp } from '../../../../support/app.js';

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

it.each([[[], 'recording takes one file, not 0'], [['a.ndjson', 'b'], 'recording takes one file, not 2'], [['b'], 'b']])(
  'serve recording %j is refused', async (words, message) => {
    expect(await list(...words)).toMatchObject({ code: 2, err: expect.stringContaining(message) as string });
  });

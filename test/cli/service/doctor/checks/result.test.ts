import { describe, expect, it } from 'vitest';
import { type PrintedResult, resultsText } from '../../../../../src/cli/service/doctor/checks.js';
import { json } from '../../../../support/answers.js';
import { ranIn, testApp } from '../../../../support/app.js';

describe('doctor', () => {
  it('wraps advice between words without cutting it', async () => {
    const { out, code, err } = await ranIn({ terminal: true, columns: 40, env: { COLLOQUY_TOKEN: 'expired-token' } }, 'doctor');
    expect(code).toBe(1);
    expect(out.replace(/\s+/g, ' ')).toContain('ok url http://service.test from COLLOQUY_URL ok token');
    expect(out).toMatch(/^fail {2}account +the service rejected\n {18}the token: Token is\n/m);
    expect(err).toContain('1 check failed: account');
  });
});

describe('doctor with a fine-grained token', () => {
  const denied = json(403, { error: 'insufficient_granular_scope', error_description: 'Access denied: [User: Read].' });
  const examined = (refused: RegExp, scopes = ['granular']) => ranIn({
    answer: ({ target }) => target.endsWith('/self') ? json(200, { scopes, expires_at: null }) : refused.test(target) ? denied : undefined,
  }, 'doctor', '--project', 'acme/app', '--group', 'acme');

  it('reports what the token may not read, and does not take it for a wrong one', async () => {
    const { out, code } = await examined(/\/(user|version|metadata|projects|groups)\b/);
    expect(code).toBe(0);
    for (const line of [
      /^service\tok\t/m, /^version\tskip\t/m, /^account\tskip\tnot reported by the service: Access denied: \[User: Read\]\.\t$/m,
      /^scopes\tok\tgranular\t$/m, /^project there\twarn\tacme\/app: Access denied.*\tuse a token/m,
      /^epics\tskip\tnot reported by the service\t$/m,
    ]) expect(out).toMatch(line);
    expect(out).not.toMatch(/scope api|upgrade the tier/);
  });
});

describe('results as text', () => {
  const results: PrintedResult[] = [
    { check: 'url', state: 'ok', message: 'given', hint: null }, { check: 'clock', state: 'warn', message: 'late', hint: 'set it' },
    { check: 'token', state: 'fail', message: 'bad\x1b[2J', hint: null }, { check: 'a long check', state: 'skip', message: 'not\nreported', hint: null },
  ];

  it('are a line each with the state first, then the hint below the message', async () => {
    expect(await resultsText((await testApp()).app, results)).toBe(
      'ok    url           given\nwarn  clock         late\n                    set it\n'
      + 'fail  token         bad\\u001b[2J\nskip  a long check  not reported\n');
  });

  it('have colors by their state where the terminal has some', async () => {
    const text = await resultsText((await testApp({ terminal: true, colors: 1 })).app, results);
    expect(text.split('\n').map((line) => /^\x1b\[(\d+)m(\w+)/.exec(line)?.slice(1)).filter(Boolean))
      .toEqual([['32', 'ok'], ['35', 'warn'], ['31', 'fail'], ['2', 'skip']]);
  });

  it('are never cut in a pipe', async () => {
    const message = 'word '.repeat(100).trim();
    expect(await resultsText((await testApp({ columns: 20 })).app, [{ ...results[0]!, message }])).toBe(`ok    url  ${message}\n`);
  });
});

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { demoWorld, imitationFrom, type Imitation, type ServerOptions } from '../../../../../src/server/index.js';
import { ranIn, testApp } from '../../../../support/app.js';
import { conformanceIn } from '../../../../support/conformance-runs.js';
import { isAll } from '../../../../support/extent.js';
import { testService } from '../../../../support/service.js';

/** Runs conformance on a server with these options: its report, and the file that it saved. */
const ranOn = async (options: ServerOptions, ...words: readonly string[]) => {
  const service = await testService({ world: demoWorld, ...options });
  const { run, files } = await testApp({ service, env: { COLLOQUY_TOKEN: 'root-token' } });
  const { code, out, err } = await run('conformance', 'mr/12', 'issue/7', '-g', 'acme', '--save', 'like.yaml', '--json', ...words);
  await service.close();
  const text = String(files.get('like.yaml'));
  return { code, err, text, report: conformanceIn(out), saved: parse(text) as Imitation };
};

/** The same run on a server that is like the instance. */
const ranLike = (text: string, ...words: readonly string[]) =>
  imitationFrom(text, 'like.yaml').then((like) => ranOn({ like }, ...words));

describe('conformance --save', () => {
  it('describes our own server, and another that is like it', async () => {
    const first = await ranOn({ dialect: 'live', serviceVersion: '17.5', tier: 'free' });
    expect(first.saved).toMatchObject({ dialect: 'live', service_version: '17.5', tier: 'free', per_page: { default: 20, max: 100 } });
    expect(first.text).toMatch(/^# The instance at http:\/\/service\.test, as colloquy conformance found it on 2024-05-01\.\n/);
    expect((await ranLike(first.text)).report).toEqual(first.report);
  });

  const gone = { when: { status: 404, message: '404 Project Not Found' }, status: 404, body: { message: 'Gone', code: 5 } };
  const appearance = 'GET /application/appearance';

  type Difference = readonly [what: string, options: ServerOptions, rules: Imitation, facts: readonly string[]];

  const differences: readonly Difference[] = [
    ['page sizes', { like: { per_page: { default: 25, max: 50 } } }, { per_page: { default: 25, max: 50 } }, ['pages.default', 'pages.maximum']],
    ['no request ids', { like: { headers: [{ fact: 'x', header: 'x-request-id' }] } },
      { headers: [{ fact: 'requests.request-id', header: 'x-request-id' }] }, ['requests.request-id']],
    ['a challenge', { like: { headers: [{ fact: 'x', header: 'www-authenticate', status: 401, value: 'Bearer' }] } },
      { headers: [{ fact: 'tokens.no-challenge', header: 'www-authenticate', status: 401, value: 'Bearer' }] }, ['tokens.no-challenge']],
    ['another error', { like: { errors: [{ fact: 'x', ...gone }] } }, { errors: [expect.objectContaining(gone) as never] },
      ['errors.project']],
    ['a fault', { faults: [`${appearance} => status 500`] },
      { operations: [expect.objectContaining({ on: appearance, status: 500, body: { message: '500 Internal Server Error' } }) as never] }, ['appearance.keys']],
    ['missing keys', { like: { missing_keys: [{ fact: 'x', without: ['attachment'], among: ['id', 'body'] }] } },
      { missing_keys: [expect.objectContaining({ fact: 'notes.keys', without: ['attachment'] }) as never] }, ['notes.keys']],
  ];

  /** Of two imitations, as of two lists of rules. */
  const both = <T extends object>(one: T, other: T): T => {
    const merged = { ...one } as Record<string, unknown>;
    for (const [key, value] of Object.entries(other)) {
      const known = merged[key];
      merged[key] = Array.isArray(known) ? [...known as unknown[], ...value as unknown[]] : value;
    }
    return merged as T;
  };

  const together: Difference = differences.reduce(([, options, rules, facts], [, more, moreRules, moreFacts]) => ['all of these', {
    ...options, ...more, ...(options.like ?? more.like) && { like: both(options.like as Imitation ?? {}, more.like as Imitation ?? {}) },
  }, both(rules, moreRules), [...facts, ...moreFacts]]);

  /** In `npm test`, all of them at once. */
  it.each(isAll ? [...differences, together] : [together])('describes %s so that a server has the same report', async (_, options, rules, facts) => {
    const first = await ranOn(options);
    expect(first.report.facts.filter(({ result }) => result === 'fail').map(({ id }) => id)).toEqual(expect.arrayContaining([...facts]));
    expect(first.saved).toMatchObject(rules);
    expect(first.saved.not_imitated ?? []).toEqual([]);
    const second = await ranLike(first.text);
    expect(second.report).toEqual(first.report);
    expect(second.text).toBe(first.text);
  });

  it('names the differences that cannot be imitated', async () => {
    const { saved, err } = await ranOn({ faults: ['GET /projects/*/merge_requests/*/discussions => html 200'] });
    expect(saved.not_imitated).toContain('threads.order');
    expect(err).toMatch(/saved like\.yaml; \d+ differences cannot be imitated/);
  });

  it('replaces another file only with consent, and asks before it sends requests', async () => {
    const words = ['conformance', '--fact', 'errors.unknown-route', '--save', 'like.yaml'];
    const files = { 'like.yaml': 'mine: 1\n' };
    expect(await ranIn({ files }, ...words)).toMatchObject({
      code: 2, sent: [], err: 'colloquy: refusing to replace like.yaml without confirmation\npass --yes to confirm\n' });
    const app = await testApp({ files });
    expect((await app.run(...words, '-n')).err).toContain('would write like.yaml');
    expect(app.files.get('like.yaml')).toBe(files['like.yaml']);
    expect(await app.run(...words, '--yes')).toMatchObject({ code: 0, err: expect.stringContaining('saved like.yaml') as string });
    expect(await app.run(...words), 'an earlier one').toMatchObject({ code: 0 });
  });

  it('fails for a path that cannot be written', async () => {
    const app = await testApp();
    const write = async () => { throw Object.assign(new Error('no'), { code: 'ENOENT' }); };
    Object.assign(app.app.files, { write });
    expect(await app.run('conformance', '--fact', 'errors.unknown-route', '--save', 'no/like.yaml'))
      .toMatchObject({ code: 2, err: expect.stringContaining('cannot write no/like.yaml: no such folder') as string });
  });
});

import { describe, expect, it } from 'vitest';
import { demoWorld } from '../../../../src/server/world-file/demo/demo.js';
import { imitationFrom, type Imitation, type ServerOptions } from '../../../../src/server/index.js';
import type { HttpRequest, HttpResponse } from '../../../../src/wire/http.js';
import { testApp } from '../../../support/app.js';
import { conformanceIn } from '../../../support/conformance-runs.js';
import { everyRow } from '../../../support/rows.js';
import { testService } from '../../../support/service.js';

const other = 'http://other.test';
const tokenFile = { 'token.txt': 'root-token\n' };

interface Change {
  readonly options?: ServerOptions;
  readonly change?: (got: HttpResponse, request: HttpRequest) => Partial<HttpResponse>;
}

/** Compares the demo world here with another one there. */
const compared = async (
  there: ServerOptions, words: readonly string[], here: ServerOptions = {}, files: Record<string, string> = tokenFile, change?: Change['change'],
) => {
  const [service, second] = [await testService({ world: demoWorld, ...here }), await testService({ world: demoWorld, ...there })];
  const asked: HttpRequest[] = [];
  const handle: typeof second.handle = async (request, signal) => {
    asked.push(request);
    const got = await second.handle(request, signal);
    return { ...got, ...change?.(got, request) };
  };
  const app = await testApp({ service, others: { [other]: { ...second, handle } }, files, env: { COLLOQUY_TOKEN: 'ada-token' } });
  const ran = await app.run('conformance', '-p', 'acme/app', '-g', 'acme', '--against', other, ...words);
  return { ...ran, asked, second };
};

const withFile = ['--against-token-file', 'token.txt'];

describe('conformance --against', () => {
  it('finds two instances of the same version alike, and asks both', async () => {
    const { code, out, err, asked } = await compared({}, [...withFile, '--json'], {}, { 'token.txt': 'ada-token' });
    const { passed, failed, facts } = conformanceIn(out);
    expect([code, failed, passed > 100, facts.length > 150], err).toEqual([0, 0, true, true]);
    expect(asked.length).toBeGreaterThan(100);
  });

  it('prints the differences alone, first what is accepted here and refused there, and exits with 8', async () => {
    const { code, out, err } = await compared({ serviceVersion: '13.12', tier: 'free' }, [...withFile, '--fact', 'drafts.read', '--fact', 'epics.list',
      '--fact', 'notes.keys', '--fact', 'parameters.noteable-number', 'mr/12', 'issue/7', 'epic/3']);
    expect(code, err).toBe(8);
    expect(err).toContain('different');
    expect(out).toMatch(/^fail  drafts\.read/);
    expect(out).toContain('      error: GET /api/v4/projects/acme%2Fapp/merge_requests/12/draft_notes\n'
      + '      here accepted with 200\n      there refused with 404\n');
    expect(out.indexOf('parameters.noteable-number')).toBeGreaterThan(out.indexOf('error: GET'));
    expect(out).not.toContain('notes.keys');
  });

  it('finds planted differences of several kinds', async () => {
    const changed = (change: (got: HttpResponse, request: HttpRequest) => Partial<HttpResponse>): Change => ({ change });
    const planted: readonly (readonly [fact: string, there: Change])[] = [
      ['drafts.read', { options: { serviceVersion: '15.8' } }], ['notes.noteable-type', { options: { dialect: 'live' } }],
      ['pages.default', changed(({ headers }) => ({ headers: { ...headers, 'x-per-page': '30' } }))],
      ['errors.thread', changed(({ body }) => ({ body: String(body).replace('404 Discussion Not Found', 'Not Found') }))],
      ['requests.head', changed((got, { method }) => method === 'HEAD' ? { status: 405 } : {})],
      ['shape.lookups.version', changed((got, { target }) => target.endsWith('/version') ? { body: '{"version":"19.5"}' } : {})],
    ];
    await everyRow(planted, ([fact]) => fact, async ([fact, there]) => {
      const { code, out, err } = await compared(there.options ?? {}, [...withFile, 'mr/12', '--fact', fact], {}, tokenFile, there.change);
      expect(code, out + err).toBe(8);
    });
  });

  it('finds a server that imitates an instance like that one', async () => {
    const like: Imitation = { per_page: { default: 25, max: 50 }, headers: [{ fact: 'x', header: 'www-authenticate', status: 401, value: 'Bearer' }] };
    const origin = { serviceVersion: '16.5', tier: 'premium', like } as const;
    const app = await testApp({ service: await testService({ world: demoWorld, ...origin }), env: { COLLOQUY_TOKEN: 'root-token' } });
    await app.run('conformance', '-p', 'acme/app', '-g', 'acme', '--save', 'like.yaml');
    const saved = await imitationFrom(String(app.files.get('like.yaml')), 'like.yaml');
    const { code, out, err } = await compared({ like: saved }, [...withFile, '--json'], origin, { 'token.txt': 'ada-token' });
    const different = conformanceIn(out).facts.filter(({ result }) => result === 'fail');
    expect([code, different], err).toEqual([0, []]);
  });

  it('sends the other instance its own token alone', async () => {
    const { asked, sent } = await compared({}, [...withFile, '--fact', 'pages.default', 'mr/12']);
    expect(new Set(asked.map(({ headers }) => headers['private-token']))).toEqual(new Set(['root-token']));
    expect(new Set(sent.map(({ headers }) => headers['private-token']))).toEqual(new Set(['ada-token']));
    const without = await compared({}, ['--fact', 'pages.default', 'mr/12']);
    expect([without.code, without.asked]).toEqual([4, []]);
  });

  it('skips what one instance could not be asked about, and says where', async () => {
    const { out } = await compared({ world: { ...demoWorld, projects: [{ path: 'acme/app' }] } }, [...withFile, '--json', '--fact', 'pages.default']);
    expect(conformanceIn(out).facts).toMatchObject([{ result: 'skip', reason: expect.stringMatching(/^there: /) as string }]);
  });

  it('writes to both, and leaves them as they were', async () => {
    const { code, err, second } = await compared({}, [...withFile, 'mr/12', '--write', '--fact', 'notes.blank', '--fact', 'threads.response']);
    expect(code, err).toBe(0);
    expect(await second.service.world()).toMatchObject({ projects: [{ merge_requests: [{ iid: 12 }] }, {}, {}] });
  });

  it('rejects flags that do not go together, and a token file that is missing or empty', async () => {
    const rows: readonly (readonly [code: number, err: string, words: readonly string[]])[] = [
      [2, '--save cannot be combined with --against', ['--save', 'x.yaml']],
      [2, 'is on one instance', [`${other}/acme/app/-/merge_requests/12`]],
      [2, 'cannot read none.txt: no such file', ['--against-token-file', 'none.txt']],
      [4, 'empty.txt is empty', ['--against-token-file', 'empty.txt']],
    ];
    await everyRow(rows, ([, err]) => err, async ([code, err, words]) => {
      expect(await compared({}, words, {}, { 'empty.txt': '\n' })).toMatchObject({ code, out: '', err: expect.stringContaining(err) as string });
    });
    const linked = await testApp({ env: { CI: 'true' } });
    const outside = Object.assign(new Error('outside'), { code: 'EOUTSIDE' });
    Object.assign(linked.app.files, { projectOf: async () => '/build', readLimited: async () => { throw outside; } });
    expect(await linked.run('conformance', 'mr/1', '--against', other, ...withFile))
      .toMatchObject({ code: 2, err: expect.stringContaining('in CI it must be a regular file inside /build') as string });
    const rejected = await compared({}, withFile, {}, { 'token.txt': 'unknown' });
    expect([rejected.code, rejected.err]).toEqual([4, expect.stringContaining(`${other} rejected the token from token.txt`)]);
    const { code, err } = await (await testApp()).run('conformance', '--against-token-file', 'token.txt');
    expect([code, err]).toEqual([2, expect.stringContaining('--against-token-file requires --against')]);
  });
});

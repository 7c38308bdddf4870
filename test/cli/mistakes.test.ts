import { describe, expect, it } from 'vitest';
import { commandPath } from '../../src/cli/command-line/command.js';
import { globalOptions } from '../../src/cli/command-line/flags.js';
import { wholeProgram } from '../../src/cli/program.js';
import { ranIn, testApp, type WorldOptions } from '../support/app.js';
import { everyRow } from '../support/rows.js';

/** The response to a mistake: exit code, error and hint. Nothing is written to the service. */
const answered = async (argv: readonly string[], options: WorldOptions = {}) => {
  const { code, out, err, sent } = await ranIn(options, ...argv);
  expect({ out, writes: sent.filter(({ method }) => method !== 'GET') }).toEqual({ out: '', writes: [] });
  const [what, ...hints] = err.trimEnd().split('\n');
  return { code, what: what!.replace(/^colloquy: /, ''), hint: hints.join('\n') };
};

describe('reports the error and a hint for', () => {
  it.each([
    ['pr/12', 'did you mean mr/12?'], ['mr12', 'did you mean mr/12?'], ['merge_requests/12', 'did you mean mr/12?'],
    ['mr:12', 'did you mean mr/12?'], ['issues/7', 'did you mean issue/7?'], ['isue/7', 'did you mean issue/7?'],
    ['commits/1f0a2b', 'did you mean commit/1f0a2b?'], ['1f0a2b3c', 'did you mean commit/1f0a2b3c?'],
    ['12', 'add its kind: mr/12, issue/12, snippet/12 or epic/12'],
    ['mr/0', 'forms: !12, #7'], ['nonsense', 'forms: !12, #7'], ['commit/-x', 'forms: !12, #7'],
    ['http://service.test/acme/app', 'paste the URL of a merge request'],
    ['http://service.test/acme/app/-/pipelines/12', 'paste the URL of a merge request'],
  ])('the reference %s', async (ref, hint) => {
    const { code, what, hint: told } = await answered(['discussions', 'list', ref]);
    expect({ code, what }).toEqual({ code: 2, what: `"${ref}" is not a valid reference` });
    expect(told).toContain(hint);
  });

  it.each([
    ['list'], ['view'], ['drafts', '--publish', '--yes'], ['review', '--yes'],
  ])('a word that is no reference, where a job has a merge request: discussions %s', async (...words) => {
    const env = { CI_MERGE_REQUEST_IID: '1', CI_PROJECT_ID: '20' };
    const { code, what } = await answered(['discussions', ...words, 'mr12'], { env });
    expect({ code, what }).toEqual({ code: 2, what: '"mr12" is not a valid reference' });
    expect(await answered(['discussions', ...words, 'mr/2', '--mr', '1'], { env }))
      .toMatchObject({ code: 2, what: 'mr/2 and --mr cannot be combined' });
  });

  it.each([
    [['discussions', 'list', '--mr', 'abc'], 'invalid value "abc" for --mr', 'give a number: --mr 12; mr/12 and the URL work too'],
    [['discussions', 'list', '--commit', '12'], 'invalid value "12" for --commit',
      'give a SHA, at least 4 characters of it, or a name that git knows: --commit 1f0a; commit/1f0a and the URL work too'],
    [['discussions', 'list', '!1', '-p', 'https://h.example/acme/app.git'],
      '--project takes an id or a path, not a URL', 'write it as acme/app'],
    [['epics', 'list', '&1', '-g', 'https://h.example/groups/acme/sub/-/epics'],
      '--group takes an id or a path, not a URL', 'write it as acme/sub'],
    [['discussions', 'get', '!1'], 'no note or thread given',
      'name it after mr/1, or paste a URL that ends in #note_<id>; run `colloquy discussions list mr/1` or `notes list` to list them'],
    [['discussions', 'list', '!1', '--author', ''], '--author is empty', 'give it a value, or omit it'],
    [['discussions', 'check', '!1', '--path', 'api', '--path=web'], '--path has two values', 'give it one: the first would be ignored'],
    [['notes', 'post', '!1', 'a', '--from', 'lines', '--prefix', 'api', '--prefix', 'web'],
      '--prefix has two values', 'give it one: the first would be ignored'],
    [['notes', 'post', '!1', '--from', 'eslint', 'a.json', '--from', 'sarif', 'b.sarif'],
      '--from has two values', 'use one command for each format'],
    [['notes', 'list', '!1', '--url', 'http://ada:secret@a.test', '--url', 'http://ada:other@b.test'],
      '--url has two values', 'give it one: the first would be ignored'],
    [['notes', 'list', '!1', '-p', 'acme/app', '--project', 'acme/web'],
      '--project has two values', 'give it one: the first would be ignored'],
    [['appearance', 'set', '--title', 'A', '--title', 'B'], '--title has two values', 'give it one: the first would be ignored'],
    [['notes', 'upsert', '!1', '--key', 'd', '--section', 's', '--section', 't', '-m', 'x'],
      '--section has two values', 'give it one: the first would be ignored'],
    [['notes', 'add', '!1', '-m', 'x', '--created-at', '2024-01-01T00:00:00Z', '--created-at', '2025-01-01T00:00:00Z'],
      '--created-at has two values', 'give it one: the first would be ignored'],
    [['notes', 'list', '!1', '--author', 'ada,bob'], 'invalid value "ada,bob" for --author <name>', 'give one user per flag: --author ada --author bob'],
    [['notes', 'list', '!1', '--author', 'Ada Lovelace'], 'invalid value "Ada Lovelace" for --author <name>',
      'give one user per flag: --author ada --author bob'],
    [['notes', 'list', '!1', '--since', '1d', '--until', '2d'], '--since 1d is later than --until 2d',
      'swap the two times'],
    [['notes', 'list', '!1', '--url', 'service'], '--url: invalid base URL "service"; use the form https://host',
      'check --url'],
    [['discussions', 'create', '!1', '-n', '-m', 'x', '--file', 'a.png', '--image-size', '640x480'],
      '--image-size requires --image-at', 'use, for example, --image-at 10,20'],
    [['discussions', 'create', '!1', '-n', '-m', 'x', '--position', '-'], 'standard input is not JSON',
      'give a position such as {"base_sha": …, "new_path": …, "new_line": 12, …}'],
    [['serve', '--tls-cert', 'text', '--tls-key', 'text'], 'text is not a PEM file',
      'set --tls-cert to a text file with a line like -----BEGIN CERTIFICATE-----'],
    [['notes', 'list', '!1', '--ca-cert', 'text'], 'text is not a PEM file',
      'set --ca-cert to a text file with a line like -----BEGIN CERTIFICATE-----'],
    [['config', 'set', 'token', 'x'], 'invalid value "token" for key', 'use `colloquy auth login` to store a token, `colloquy auth token` to print it'],
    [['config', 'get', 'colour'], 'invalid value "colour" for key',
      'choose one of: url, token-type, project, group, timeout, retries, ca-cert, client-cert, client-key'],
    [['api', 'GET', 'projects/:projct'], 'unknown placeholder :projct',
      'use :project, :group, or :id after projects/ or groups/'],
  ])('%j', async (argv, what, hint) => {
    expect(await answered(argv, { files: { text: 'no certificate' } })).toEqual({ code: 2, what, hint });
  });

  it.each(['yesterday', '2024-02-30', '2024-13-01', '12:00', '2024-05-01T25:00', '2024-05-01T24:30', '9999-12-31T23:59:59-01:00', '1714521600'])(
    'the time of creation %j, which the service would replace with the current time', async (time) => {
      expect(await answered(['notes', 'add', '!1', '-m', 'x', '--created-at', time])).toEqual({

        code: 2, what: `invalid value "${time}" for --created-at <time>`,
             hint: 'use one of these forms: 2024-05-01, 2024-05-01T12:00:00Z, 2024-05-01T14:00+02:00',
      });
    });

  it.each(['2024-05-01', '2024-05-01T12:00Z', '2024-05-01 12:00:00', '2024-05-01T12:00:00.123456+02:00', '2024-05-01T12:00:00,123456789+0000',
    '20240501T120000Z', '2024-05-01T12:00+05'])(
    'but the time of creation %s is sent unchanged', async (time) => {
      const { code, sent } = await ranIn({}, 'notes', 'add', '!1', '-m', 'x', '--created-at', time);
      expect({ code, body: JSON.parse(String(sent[0]!.body)) as unknown }).toEqual({ code: 0, body: { body: 'x', created_at: time } });
    });

  it('an empty token, as a script passes it when its variable is not set', async () => {
    expect(await answered(['notes', 'list', '!1', '--token', ''])).toEqual({
      code: 4, what: 'the token is empty', hint: 'set it, or omit --token' });
  });

  it('two values of any option that is not repeatable, before anything is sent', async () => {
    const world = await testApp();
    const commands = (await wholeProgram(world.app)).commands.flatMap((one) => one.commands.length > 0 ? one.commands : [one]);
    const globals = new Set(globalOptions().map(({ long }) => long));
    const options = commands.flatMap((command) => command.options.filter(({ long, required, argChoices, description }) =>
      required && !argChoices && long !== '--token' && !/repeat/.test(description) && (command.name() === 'add' || !globals.has(long)))
      .map(({ long }) => [long!, commandPath(command)] as const));
    const values = [['a', 'b'], ['1', '2'], ['1h', '2h'], ['2024-05-01T12:00Z', '2024-05-02T12:00Z'], ['17.5', '17.6']];
    const others: string[] = [];
    await everyRow(options, ([long, path]) => `${path} ${long}`, async ([long, path]) => {
      const refused = await Promise.all(values.map(async ([one, other]) =>
        (await world.run(...path.split(' '), `${long}=${one!}`, `${long}=${other!}`)).err.includes(`${long} has two values`)));
      if (!refused.includes(true)) others.push(`${path} ${long}`);
    });
    expect(others).toEqual(['api --raw-field', 'api --field', 'api --form', 'api --header', 'mcp --allow']);
  });

  it('an empty or blank value of any option where it has no meaning, before anything is sent', async () => {
    const world = await testApp();
    const commands = (await wholeProgram(world.app)).commands.flatMap((one) => one.commands.length > 0 ? one.commands : [one]);
    const globals = new Set(globalOptions().map(({ long }) => long));
    const options = commands.flatMap((command) => command.options
      .filter(({ long, required }) => required && long !== '--token' && (command.name() === 'add' || !globals.has(long)))
      .map((option) => ({ option, path: commandPath(command) })));
    expect(options.length).toBeGreaterThan(200);
    const meant: string[] = [];
    await everyRow(options, ({ option, path }) => `${path} ${option.long!}`, async ({ option: { long, argChoices }, path }) => {
      for (const words of [[long!, ''], [`${long!}= `]]) {
        const { code, sent, err } = await world.run(...path.split(' '), ...words);
        if (argChoices) expect([code, sent, err]).toEqual([2, [], expect.stringMatching(new RegExp(`invalid value "\\s?" for .*${long!} `))]);
        else if (!err.includes(`${long!} is empty`)) meant.push(`${path} ${long!}`);
        else expect([code, sent, err]).toEqual([2, [], `colloquy: ${long!} is empty\ngive it a value, or omit it\n`]);
      }
    });
    expect([...new Set(meant)].filter((name) => !name.endsWith(' --message') && !name.startsWith('appearance set'))).toEqual([
      'discussions create --suggest', 'notes add --suggest', 'appearance banner --footer', 'appearance banner --bg',
      'appearance banner --fg', 'mcp --allow',
    ]);
    expect(meant.filter((name) => /-file|logo|icon/.test(name))).toEqual([]);
    expect(await ranIn({ env: { COLLOQUY_PROFILE: '' } }, 'notes', 'add', 'mr/1', '-m', 'x')).toMatchObject({ code: 0 });
  });

  it.each([
    [['notes', 'post', '--reporter', 'termnal'], 'terminal'], [['notes', 'list', '!1', '--type', 'indivdual'], 'individual'],
    [['completion', 'basch'], 'bash'], [['notes', 'upsert', '!1', '--key=x', '--mode=apend'], 'append'], [['serve', '--tier', 'premum'], 'premium'],
  ])('a misspelled choice: %j', async (argv, meant) => {
    const { code, hint } = await answered(argv);
    expect([code, hint]).toEqual([2, expect.stringMatching(new RegExp(`^did you mean ${meant}\\? choose one of: .*\\b${meant}\\b`))]);
  });

  it('a jq expression that does not fit its input', async () => {
    const { code, err } = await ranIn({}, 'discussions', 'list', '!1', '-q', '.id');
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(
      /^colloquy: jq: error: Cannot index array with string \("id"\)\n.*a list is one array \(-q '\.\[\]\.id'\)/) as string });
    expect(JSON.parse((await ranIn({}, 'discussions', 'list', '!1', '--json', '-q', '.id')).err)).toMatchObject({
      error: { code: 'usage', message: 'jq: error: Cannot index array with string ("id")' } });
  });

  it('a logout while the token comes from the environment', async () => {
    expect(await answered(['auth', 'logout'])).toEqual({
      code: 4, what: 'profile default has no token', hint: 'unset COLLOQUY_TOKEN to stop using its token' });
    expect(await answered(['auth', 'logout'], { env: { COLLOQUY_TOKEN: undefined } })).toMatchObject({
      hint: 'run `colloquy auth status` to show the profiles' });
  });

  it('no reference in the job of a branch that has open merge requests', async () => {
    expect(await answered(['notes', 'list'], { env: { CI_OPEN_MERGE_REQUESTS: 'acme/app!1' } })).toMatchObject({
      code: 2, hint: 'add the rule `if: $CI_PIPELINE_SOURCE == "merge_request_event"` to the job, or\n'
        + 'name one of the open merge requests of this branch: acme/app!1' });
  });
});

describe('accepts values that are nearly right:', () => {
  it('slashes around a project, and encoded ones in its path', async () => {
    expect(await ranIn({}, 'discussions', 'list', '!1', '-p', '/acme/app/')).toMatchObject({ code: 0, err: '' });
    for (const path of ['acme%2Fapp', 'acme%2fapp']) {
      expect(await ranIn({ env: { COLLOQUY_PROJECT: path } }, 'discussions', 'list', '!1')).toMatchObject({ code: 0, err: '' });
    }
  });

  it('a host without https://', async () => {
    for (const host of ['gitlab.example', 'localhost:8443/git', 'gitlab.example:8443/git/']) {
      const { code, err } = await ranIn({ stdin: 'developer-token' }, 'auth', 'login', '--with-token', '--url', host);
      expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining(`logged in to https://${host.replace(/\/$/, '')} as `) as string });
    }
  });
});


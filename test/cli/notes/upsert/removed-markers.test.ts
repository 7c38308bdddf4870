import { describe, expect, it } from 'vitest';
import type { Discussion, Note } from '../../../../src/contract/shapes/note.js';
import { withMarker } from '../../../../src/wire/note-text.js';
import { fakeTime } from '../../../client/support/fake-time.js';
import { json } from '../../../support/answers.js';
import { testApp, type WorldOptions } from '../../../support/app.js';
import { testService, type TestService } from '../../../support/service.js';
import { threads } from '../../../support/worlds.js';

/** A service that removes HTML comments from the texts that it stores. */
const removing = async (): Promise<TestService> => {
  const service = await testService();
  const handle: TestService['handle'] = async (request) => service.handle(
    request.method === 'GET' || typeof request.body !== 'string' ? request
      : { ...request, body: request.body.replace(/<!--.*?-->/g, '') });
  return { ...service, handle };
};

const own = async (service: TestService, ref = 'mr'): Promise<Note[]> =>
  (await service.get<Discussion[]>(`/projects/20/${ref === 'mr' ? 'merge_requests/1' : 'issues/1'}/discussions?per_page=100`))
    .body.flatMap(({ notes }) => notes).filter(({ body }) => /^(?:One|Two|Three)\.|console|passed/.test(body));

const runOn = async (service: TestService, words: readonly string[], options: WorldOptions = {}) =>
  (await testApp({ service, time: fakeTime(), ...options })).run(...words);

const sarif = JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'lint' } }, results: [2, 3].map((line) => ({
  ruleId: 'r1', message: { text: 'console' }, locations: [{ physicalLocation: { artifactLocation: { uri: 'app.js' }, region: { startLine: line } } }],
})) }] });

const imported = `${JSON.stringify({
  id: 'f'.repeat(40), individual_note: false, notes: [{
    id: 1, type: 'DiscussionNote', body: 'console', system: false, created_at: '2023-01-01T10:00:00.000Z',
    author: { id: 9, username: 'bob', name: 'Bob', state: 'active', avatar_url: null, web_url: 'https://b.example/bob' },
  }],
})}\n`;

const files = { '/app/app.js': 'one\nzwei\nthree\nfour\n', report: sarif, threads: imported };

/** Every command that finds its note by a marker in later runs. */
const commands: readonly (readonly string[])[] = [
  ['notes', 'add', 'mr/1', '-m', 'One.', '--key', 'lint'],
  ['notes', 'add', 'mr/1', '-m', 'One.', '--key', 'lint', '--resolvable'],
  ['discussions', 'create', 'mr/1', '-m', 'One.', '--key', 'lint'],
  ['discussions', 'reply', 'mr/1', threads.thread, '-m', 'One.', '--key', 'lint'],
  ['notes', 'upsert', 'mr/1', '-m', 'One.', '--key', 'lint'],
  ['notes', 'upsert', 'mr/1', '-m', 'One.', '--key', 'lint', '--resolvable'],
  ['notes', 'exec', 'mr/1', '--key', 'lint', '--', 'true'],
  ['notes', 'post', 'mr/1', '--from', 'sarif', 'report'],
  ['discussions', 'import', 'mr/1', 'threads'],
];

describe('where the service removes HTML comments', () => {
  const options: WorldOptions = { workTree: '/app', files, tools: { run: async () => ({ exit: 0, signal: null, error: null }) } };

  it.each(commands.map((words) => [words.join(' '), words] as const))('`%s` fails and leaves nothing, in each of three runs', async (_, words) => {
    const service = await removing();
    for (let run = 1; run <= 3; run++) {
      const { code, err } = await runOn(service, words, options);
      expect([code, err]).toEqual([1, expect.stringMatching(/note \d+ was stored without its marker/) as string]);
    }
    expect(await own(service)).toEqual([]);
  });

  it('the message names the note and the option that works there', async () => {
    const service = await removing();
    const { err } = await runOn(service, ['notes', 'upsert', 'mr/1', '-m', 'One.', '--key', 'lint']);
    expect(err).toMatch(/note \d+ was stored without its marker, so later runs would not find it; the note was deleted/);
    expect(err).toContain('use `colloquy notes upsert --visible-key`');
  });

  it('and the note cannot be deleted, the message says so', async () => {
    const service = await removing();
    const answer: WorldOptions['answer'] = ({ method }) => method === 'DELETE' ? json(403, { message: '403 Forbidden' }) : undefined;
    const { code, err } = await runOn(service, ['notes', 'add', 'mr/1', '-m', 'One.', '--key', 'lint'], { answer });
    expect([code, err]).toEqual([1, expect.stringContaining('the note could not be deleted') as string]);
  });

  it('a comment from before cannot be updated without --visible-key, which keeps it', async () => {
    const service = await removing();
    const body = withMarker('One.', { key: 'lint' });
    const { id } = (await service.post<Note>('/projects/20/merge_requests/1/notes', { json: { body } })).body;
    const shown = await runOn(service, ['notes', 'upsert', 'mr/1', '-m', 'Two.', '--key', 'lint', '--visible-key', '--json']);
    expect(JSON.parse(shown.out)).toMatchObject({ action: 'updated', note: { id } });
    const failing = await removing();
    await failing.post<Note>('/projects/20/merge_requests/1/notes', { json: { body } });
    const { code, err } = await runOn(failing, ['notes', 'upsert', 'mr/1', '-m', 'Two.', '--key', 'lint']);
    expect([code, err]).toEqual([1, expect.stringContaining('removed the marker from note') as string]);
  });

  it.each(['replace', 'append', 'recreate', 'once'])('--visible-key keeps one comment, with --mode %s', async (mode) => {
    const service = await removing();
    for (const text of ['One.', 'Two.', 'Two.']) {
      const words = ['notes', 'upsert', 'mr/1', '-m', text, '--key', 'a `lint`', '--visible-key', '--mode', mode];
      expect((await runOn(service, words)).code).toBe(0);
    }
    const text = { replace: 'Two.', append: 'One.\n\nTwo.', recreate: 'Two.', once: 'One.' }[mode]!;
    const [note, ...others] = await own(service);
    expect(others).toEqual([]);
    expect(note!.body.split('\n\n`colloquy:key=a%20%60lint%60 ')[0]).toBe(text);
  });

  it('a visible key stays visible in a run without the option, and is deleted with an empty text', async () => {
    const service = await removing();
    const upsert = (...words: string[]) => runOn(service, ['notes', 'upsert', 'mr/1', '--key', 'lint', ...words]);
    await upsert('-m', 'One.', '--visible-key');
    expect((await upsert('-m', 'Two.')).code).toBe(0);
    expect((await own(service)).map(({ body }) => body)).toEqual([expect.stringMatching(/^Two\.\n\n`colloquy:key=lint hash=\w{16}`$/)]);
    expect((await upsert('--delete-if-empty')).code).toBe(0);
    expect(await own(service)).toEqual([]);
  });
});

it('a visible key replaces an invisible one', async () => {
  const service = await testService();
  const upsert = (...words: string[]) => runOn(service, ['notes', 'upsert', 'mr/1', '--key', 'lint', '-m', 'One.', ...words]);
  await upsert();
  await upsert('--visible-key');
  expect((await own(service)).map(({ body }) => body)).toEqual([expect.stringMatching(/^One\.\n\n`colloquy:key=lint hash=\w{16}`$/)]);
});

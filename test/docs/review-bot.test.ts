import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/index.js';
import { startServer, type OpenWorld, type RunningServer, type World } from '../../src/server/index.js';
import { newProject, page, root, type Project } from './blocks.js';

interface Bot { readonly url: string; settled(): Promise<void>; close(): Promise<void> }
type StartBot = (options: { url: string; token: string; project: string; secret: string; onError?: (error: unknown) => void }) => Promise<Bot>;

const name = 'review-bot.mts';
const [, text] = new RegExp(`<!-- recipe: ${name} -->\\n\\n\`\`\`ts\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page('docs/testing-recipes.md'))!;

const project = 'acme/app';
const numbers = [1, 2];
const world: World = {
  users: ['bot', 'ada'].map((username) => ({ username, token: `${username}-token` })),
  projects: [{
    path: project, members: { bot: 'maintainer', ada: 'maintainer' }, files: { 'queue.ts': 'export const queue = [];\n' },
    merge_requests: numbers.map((iid) => ({
      iid, title: `Change ${iid}`, author: 'ada', base_sha: 'a1', start_sha: 'a1', head_sha: `b${iid}`,
      diff: '--- a/queue.ts\n+++ b/queue.ts\n@@ -1 +1,2 @@\n export const queue = [];\n+queue.push(1);\n',
    })),
  }],
};

let example: Project;
let startBot: StartBot;
let server: RunningServer;
beforeAll(async () => {
  example = newProject();
  example.write(name, text!);
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = ['--module', 'nodenext', '--target', 'es2023', '--strict', '--types', 'node',
    '--typeRoots', join(root, 'node_modules', '@types'), '--outDir', 'out', '--skipLibCheck'];
  const { status, stdout } = spawnSync(process.execPath, [tsc, name, ...options], { cwd: example.folder, encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  ({ startBot } = await import(pathToFileURL(join(example.folder, 'out', 'review-bot.mjs')).href) as { startBot: StartBot });
  server = await startServer({ world });
}, 60_000);
afterAll(async () => {
  await server.close();
  example.remove();
});

/** A world whose webhook reaches a bot. */
const scene = async (title: string) => {
  const copy = await server.openWorld(title);
  const errors: unknown[] = [];
  const start = () => startBot({
    url: copy.url, token: copy.tokens['bot']!, project, secret: 'hush', onError: (error) => { errors.push(error); },
  });
  const ada = createClient({ url: copy.url, token: copy.tokens['ada']! });
  const register = ({ url }: Bot) =>
    ada.hooks.create({ id: project, url, token: 'hush', note_events: true, merge_requests_events: true });
  let bot = await start();
  let hook = await register(bot);
  onTestFinished(async () => {
    await bot.close();
    await copy.close();
  });
  return {
    ada, copy, errors,
    bot: () => bot,
    restart: async (during: () => Promise<unknown>) => {
      await bot.close();
      await during();
      bot = await start();
      await ada.hooks.delete({ id: project, hook_id: hook.id }); // it can be paused after failed deliveries
      hook = await register(bot);
      await bot.settled();
    },
  };
};

const notesOf = async (copy: OpenWorld, noteable_id: number) =>
  createClient({ url: copy.url, token: copy.tokens['ada']! }).discussions.merge_request.list({ id: project, noteable_id }).all();

/** The mentions and the answers of each thread, and the reviews. */
const outcome = async (copy: OpenWorld) => {
  const threads = (await Promise.all(numbers.map((iid) => notesOf(copy, iid)))).flat();
  const answers = threads.map(({ notes }) => ({
    mentions: notes.filter(({ author, body }) => author.username === 'ada' && body.includes('@bot')).length,
    answers: notes.filter(({ author, body }) => author.username === 'bot' && body.startsWith('Hello @ada.')).length,
  }));
  const reviews = threads.flatMap(({ notes }) => notes).filter(({ body }) => body.startsWith('Reviewed '))
    .map(({ body }) => body.split('\n')[0]!);
  return { answers, reviews };
};

const expectOnce = async (copy: OpenWorld, heads: readonly string[]) => {
  const { answers, reviews } = await outcome(copy);
  expect(answers.map((one) => one.answers)).toEqual(answers.map((one) => one.mentions));
  expect(new Set(reviews).size, reviews.join()).toBe(reviews.length);
  expect(reviews).toEqual(expect.arrayContaining(heads.map((head) => `Reviewed ${head.slice(0, 8)}.`)));
};

/** Waits until the bot has received the webhook of the note. */
const received = async (copy: OpenWorld, body: string) => {
  for (let after = 0, isDelivered = false; !isDelivered;) {
    const found = await copy.deliveries({ status: 204, after, timeout: 10_000 });
    after = found.at(-1)!.id;
    isDelivered = found.some(({ request }) => JSON.stringify(request).includes(body));
  }
};

type Step = 'thread' | 'reply' | 'comment' | 'push' | 'settle' | 'restart';

const history = fc.array(fc.record({
  step: fc.constantFrom<Step>('thread', 'reply', 'comment', 'push', 'settle', 'restart'), iid: fc.constantFrom(...numbers),
}), { minLength: 3, maxLength: 12 });

const mention = { id: project, body: 'What do you say, @bot?' };

describe('the bot of the documentation', () => {
  it('has at most 100 lines', () => expect(text!.split('\n').length - 1).toBeLessThanOrEqual(100));

  it('reviews at its start, and answers a mention that a webhook reports', async () => {
    const { ada, copy, bot, errors } = await scene('starts');
    await bot().settled();
    await ada.discussions.merge_request.create({ ...mention, noteable_id: 1 });
    await received(copy, mention.body);
    await bot().settled();
    await expectOnce(copy, ['b1', 'b2']);
    expect((await outcome(copy)).answers.filter(({ mentions }) => mentions === 1)).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  it('reviews again after a push', async () => {
    const { copy, bot } = await scene('pushed');
    await bot().settled();
    const { head_sha } = await copy.push({ project, merge_request: 1, files: { 'queue.ts': 'export const queue = [1];\n' } });
    await copy.deliveries({ event: 'merge_request', status: 204, timeout: 5_000 });
    await bot().settled();
    await expectOnce(copy, ['b1', 'b2', head_sha]);
  });

  it('finds what happened before its start', async () => {
    const { ada, copy, restart } = await scene('restarted');
    await restart(() => ada.notes.merge_request.create({ ...mention, noteable_id: 2 }));
    await expectOnce(copy, ['b1', 'b2']);
    expect((await outcome(copy)).answers.filter(({ answers }) => answers === 1)).toHaveLength(1);
  });

  it('looks at nothing for a delivery without the secret', async () => {
    const { ada, copy, bot } = await scene('secret');
    await bot().settled();
    await ada.notes.merge_request.create({ id: project, noteable_id: 1, body: 'Last.' }); // after the notes of the bot
    await received(copy, 'Last.');
    await bot().settled();
    const before = (await copy.requests({})).length;
    const { status } = await fetch(bot().url, { method: 'POST', headers: { 'x-gitlab-event': 'Note Hook', 'x-gitlab-token': 'guess' }, body: '{}' });
    await bot().settled();
    expect([status, (await copy.requests({})).length]).toEqual([401, before]);
  });

  it('does everything once with repeated, reordered, late and lost deliveries', async () => {
    let count = 0;
    await fc.assert(fc.asyncProperty(history, fc.nat(), async (steps, seed) => {
      const { ada, copy, bot, restart, errors } = await scene(`random-${++count}`);
      await copy.faults(['drop', 'repeat 3', 'reorder', 'delay 5'].map((fault) => `hook * => ${fault} p=0.25`), seed);
      const heads = new Map(numbers.map((iid) => [iid, `b${iid}`]));
      const push = async (iid: number) => {
        const files = { 'queue.ts': `export const queue = [${heads.get(iid)!.length}, '${heads.get(iid)!}'];\n` };
        heads.set(iid, (await copy.push({ project, merge_request: iid, files })).head_sha);
      };
      const first = await ada.discussions.merge_request.create({ ...mention, noteable_id: 1 });
      const acts: Readonly<Record<Step, (iid: number) => Promise<unknown>>> = {
        thread: (iid) => ada.discussions.merge_request.create({ ...mention, noteable_id: iid }),
        reply: () => ada.discussions.merge_request.addNote({ ...mention, noteable_id: 1, discussion_id: first.id }),
        comment: (iid) => ada.notes.merge_request.create({ ...mention, noteable_id: iid }),
        push, settle: () => bot().settled(), restart: (iid) => restart(() => push(iid)),
      };
      for (const { step, iid } of steps) await acts[step](iid);

      await copy.faults([]);
      await ada.notes.merge_request.create({ id: project, noteable_id: 1, body: 'Thank you.' });
      await received(copy, 'Thank you.');
      await bot().settled();
      await expectOnce(copy, [...heads.values()]);
      expect(errors).toEqual([]);
      await bot().close();
      await copy.close();
    }), { numRuns: 20 });
  }, 120_000);
});

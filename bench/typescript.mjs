/**
 * The time to check the types of a program that uses the library, compared with an empty program and one that uses
 * @gitbeaker/rest. Arguments: rounds, and the folder of another built checkout to compare with.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { interleaved, report } from './rounds.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [rounds = 7, other] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'colloquy-bench-'));

const withColloquy = `
import { createClient, type Note } from 'colloquy';
const client = createClient({ url: 'http://service.test', token: 'token' });
const place = { id: 'acme/app', noteable_id: 12 };
export const start = async (body: string): Promise<Note | undefined> => {
  const { id, notes } = await client.discussions.merge_request.create({ ...place, body });
  await client.discussions.merge_request.resolve({ ...place, discussion_id: id, resolved: true });
  for await (const note of client.notes.issue.list({ ...place, sort: 'asc' })) console.log(note.author.username);
  return notes[0];
};`;

const withGitbeaker = `
import { Gitlab, type NoteSchema } from '@gitbeaker/rest';
const client = new Gitlab({ host: 'http://service.test', token: 'token' });
export const start = async (body: string): Promise<NoteSchema | undefined> => {
  const { id, notes } = await client.MergeRequestDiscussions.create('acme/app', 12, body);
  await client.MergeRequestDiscussions.resolve('acme/app', 12, id, true);
  for (const note of await client.IssueNotes.all('acme/app', 12, { sort: 'asc' })) console.log(note.author.username);
  return notes?.[0] as NoteSchema | undefined;
};`;

/** A project that has the packages of the checkout installed, and the package of a checkout as colloquy. */
const newProject = (name, program, checkout = root) => {
  const place = join(folder, name);
  mkdirSync(join(place, 'node_modules', '@types'), { recursive: true });
  symlinkSync(checkout, join(place, 'node_modules', 'colloquy'));
  for (const used of ['@gitbeaker', '@types/node']) {
    symlinkSync(join(root, 'node_modules', used), join(place, 'node_modules', used));
  }
  writeFileSync(join(place, 'package.json'), '{"type":"module"}');
  writeFileSync(join(place, 'program.ts'), program);
  return place;
};

const options = [
  '--noEmit', '--module', 'nodenext', '--target', 'es2023', '--strict', '--skipLibCheck', '--types', 'node',
];

const checked = (place) => async () => {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const child = spawn(process.execPath, [tsc, ...options, 'program.ts'], { cwd: place, stdio: 'inherit' });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`the program in ${place} has errors`);
};

const cases = {
  'an empty program': checked(newProject('empty', 'export {};')),
  '@gitbeaker/rest': checked(newProject('gitbeaker', withGitbeaker)),
  colloquy: checked(newProject('colloquy', withColloquy)),
  ...other && { [`colloquy in ${other}`]: checked(newProject('other', withColloquy, resolve(other))) },
};
report('Type-checking a program with tsc', await interleaved(cases, Number(rounds)));
rmSync(folder, { recursive: true });

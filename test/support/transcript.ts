import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { closedPort } from '../client/support/loopback.js';
import { below, forwardProxy, guardedStub, stub, type OneAnswer } from './places.js';
import { ended, newHome, root, served, type Served } from './program.js';

/**
 * A recorded shell session: `test/transcripts/*.txt`. The text before the first step is its description.
 *
 *     $ COMMAND         a shell command, in a home folder of its own
 *     > LINE            its complete output on stdout
 *     ! LINE            its complete output on stderr
 *     ? CODE            its exit code, if it is not 0
 *     serve FLAGS       a server in a process of its own: $URL, which is also COLLOQUY_URL
 *     restart, kill     stops the server with SIGTERM or SIGKILL, and starts it again
 *     stub STATUS [NAME: VALUE]   a service with one response to everything: $STUB; `guarded` requires a client
 *                       certificate, `refused` does not listen
 *     below PATH        the server below a path of another host: $BELOW
 *     proxy             a forward proxy: $PROXY
 *     proxied LINE      the next request that the proxy received
 *     env NAME=VALUE    sets a variable, or removes it without a value
 *     file NAME         creates a file
 *     | LINE            the content of the file, or of the stub's response
 *
 * In expected output `…` matches any text, alone on a line any lines; $URL and the other variables match their value.
 */
interface Step {
  readonly word: string;
  readonly rest: string;
  readonly line: number;
  readonly out: string[];
  readonly err: string[];
  readonly text: string[];
  code: number;
}

const words = ['$', 'serve', 'restart', 'kill', 'stub', 'below', 'proxy', 'proxied', 'env', 'file'];

/** Reads the steps of a transcript. */
export const stepsOf = (transcript: string): Step[] => {
  const steps: Step[] = [];
  for (const [i, line] of transcript.split('\n').entries()) {
    const [, word, rest] = /^(\S+) ?(.*)$/.exec(line) ?? [];
    const last = steps.at(-1);
    if (word !== undefined && words.includes(word)) {
      steps.push({ word, rest: rest!, line: i + 1, out: [], err: [], text: [], code: 0 });
    } else if (last && word === '>') last.out.push(rest!);
    else if (last && word === '!') last.err.push(rest!);
    else if (last && word === '?') last.code = Number(rest);
    else if (last && word === '|') last.text.push(rest!);
    else if (last && line !== '') throw new Error(`line ${i + 1} is no step: ${line}`);
  }
  return steps;
};

/** Output that differs from the transcript, by the line of its step. */
type Differences = Map<number, Written>;

/** The transcript with the current output in place of output that differs. */
export const rewritten = async (transcript: string): Promise<string> => {
  const differences: Differences = new Map();
  await replay(transcript, differences);
  const lines: string[] = [];
  let replaced: Written | undefined;
  for (const [i, line] of transcript.split('\n').entries()) {
    if (replaced && /^[>!?]( |$)/.test(line)) continue;
    replaced = differences.get(i + 1);
    lines.push(line);
    if (!replaced) continue;
    lines.push(...replaced.out.map((text) => `> ${text}`.trimEnd()), ...replaced.err.map((text) => `! ${text}`.trimEnd()));
    if (replaced.code !== 0) lines.push(`? ${replaced.code}`);
  }
  return lines.join('\n');
};

/**
 * Runs a transcript; the first step with a different result fails the test.
 * @param differences collects such steps instead, if given
 */
export const replay = async (transcript: string, differences?: Differences): Promise<void> => {
  const { home, env } = newHome();
  const set = (name: string, value: string) => { env[name] = value; };
  set('FIXTURES', join(root, 'test', 'fixtures'));
  let server: Served | undefined;
  let flags: string[] = [];
  let proxied: string[] = [];
  const start = async () => {
    server = await served(flags, env, home);
    set('URL', server.url);
    set('COLLOQUY_URL', server.url);
  };
  const filled = (text: string) => text.replace(/\$(\{)?([A-Z_]+)\}?/g, (whole, _, name: string) => env[name] ?? whole);

  /** Each is another service. */
  let refusing = closedPort;
  const doing: Record<string, (step: Step) => Promise<void> | void> = {
    serve: ({ rest }) => { flags = filled(rest).split(' ').filter((word) => word !== ''); return start(); },
    restart: async () => { expect((await server!.end()).code).toBe(0); await start(); },
    kill: async () => { await server!.end('SIGKILL'); await start(); },
    stub: async ({ rest, text }) =>
      set('STUB', rest === 'refused' ? `http://127.0.0.1:${refusing++}` : await stubFor(rest, text.join('\n'))),
    below: async ({ rest }) => set('BELOW', await below(rest, env['URL']!)),
    proxy: async () => { const { url, asked } = await forwardProxy(); set('PROXY', url); proxied = asked; },
    proxied: ({ rest }) => {
      const next = proxied.splice(0, 1);
      expect(fits(next, [filled(rest)]) ? [rest] : next).toEqual([rest]);
    },
    env: ({ rest }) => {
      const [, name, value] = /^(\w+)=?(.*)$/.exec(rest)!;
      if (value === '') delete env[name!];
      else set(name!, filled(value!));
    },
    file: ({ rest, text }) => writeFileSync(join(home, rest), `${text.join('\n')}\n`),
    $: async ({ rest, line, out, err, code }) => {
      const ran = await ended(spawn('/bin/sh', ['-c', rest], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] }));
      const wanted = { out: out.map(filled), err: err.map(filled), code };
      const got = { out: linesOf(ran.out), err: linesOf(ran.err), code: ran.code };
      const shown = shownAs(got, wanted);
      const named = (text: string) => ['URL', 'STUB', 'BELOW', 'PROXY'].reduce((all, name) =>
        env[name] ? all.replaceAll(env[name], `$${name}`) : all, text).replace(new RegExp(`${escaped(home)}[^\\s)"]*`, 'g'), '…');
      if (differences && JSON.stringify(shown) !== JSON.stringify(wanted)) {
        const unchanged = (key: 'out' | 'err') => shown[key] === wanted[key];
        differences.set(line, {
          out: unchanged('out') ? out : shown.out.map(named), err: unchanged('err') ? err : shown.err.map(named), code: shown.code,
        });
      } else expect({ line, command: rest, ...shown }).toEqual({ line, command: rest, ...wanted });
    },
  };
  for (const step of stepsOf(transcript)) await doing[step.word]!(step);
};

const stubFor = async (rest: string, body: string): Promise<string> => {
  const [status, ...others] = rest.split(' ');
  const [, name, value] = /([\w-]+): (.+)$/.exec(others.join(' ')) ?? [];
  const answer: OneAnswer = { status: Number(status), headers: name === undefined ? {} : { [name.toLowerCase()]: value! }, body };
  return others[0] === 'guarded' ? guardedStub(answer) : stub(answer);
};

const linesOf = (text: string): string[] => text === '' ? [] : text.replace(/\n$/, '').split('\n');

interface Written { readonly out: string[]; readonly err: string[]; readonly code: number | null }

/** The output, replaced by the expected lines if these match it. */
const shownAs = (got: Written, wanted: Written): Written => ({
  out: fits(got.out, wanted.out) ? wanted.out : got.out, err: fits(got.err, wanted.err) ? wanted.err : got.err, code: got.code,
});

const fits = (lines: readonly string[], wanted: readonly string[]): boolean => {
  const pattern = wanted.map((line) => line === '…' ? '(?:.*\\n)*' : `${line.split('…').map(escaped).join('.*')}\\n`);
  return new RegExp(`^${pattern.join('')}$`).test(lines.map((line) => `${line}\n`).join(''));
};

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/**
 * Sends the largest bodies of every kind, 12 at once and without a token, to a server of its own. Measures the
 * processor time per megabyte, the latency of the health check beside it, and the peak memory of the process. Linux
 * only.
 *
 *   node bench/bodies.mjs [program]     bin/colloquy.cjs of another build, for comparison
 */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { started } from './child.mjs';
import { processorTime } from './processor.mjs';

const program = process.argv[2] ?? fileURLToPath(new URL('../bin/colloquy.cjs', import.meta.url));
const [atOnce, rounds] = [12, 3];
const most = { form: 4_700_000, other: 6_290_000 };
const path = '/api/v4/projects/1/issues/7/discussions';

const filled = (text, size = most.other) => Buffer.alloc(size - size % Buffer.byteLength(text), text);
const joined = (...parts) => Buffer.concat(parts.map((part) => Buffer.from(part)));
const part = (more, value) => joined(`--b\r\nContent-Disposition: form-data; name="k"${more}\r\n\r\n`, value, '\r\n');
const form = (body) => ({ type: 'application/x-www-form-urlencoded', body });
const json = (body) => ({ type: 'application/json', body });
const multipart = (...parts) => ({ type: 'multipart/form-data; boundary=b', body: joined(...parts, '--b--\r\n') });

const shapes = {
  'form, plus signs': form(joined('body=', filled('+', most.other - 5))),
  'form, 200 values of plus signs': form(joined(...Array.from({ length: 200 }, (_, i) =>
    joined(`k${i}=`, filled('+', 31_400), '&')))),
  'form, escapes': form(joined('body=', filled('%D0%96', most.other - 5))),
  'form, escapes of no text': form(joined('body=', filled('%ff', most.other - 5))),
  'form, names alone': form(filled('a&')),
  'form, brackets': form(filled('a[')),
  'JSON, one text': json(joined('{"body":"', filled('x', most.other - 11), '"}')),
  'JSON, escapes': json(joined('{"body":"', filled('\\u0416', most.other - 16), '"}')),
  'JSON, open brackets': json(filled('[')),
  'JSON, long keys': json(joined('{', Array.from({ length: 900 }, (_, i) =>
    `"${i}${'k'.repeat(6_900)}":1`).join(), '}')),
  'multipart, one field': multipart(part('', filled('x', 4_190_000))),
  'multipart, line breaks': multipart(part('; filename="a"', filled('\r\n', 4_690_000))),
  'multipart, long heads': multipart(...Array.from({ length: 200 }, () =>
    part(`; x*=utf-8''${'%41'.repeat(2_650)}`, filled('x', 15_000)))),
  'multipart, longer heads': multipart(...Array.from({ length: 60 }, () =>
    part(`; x*=utf-8''${'%41'.repeat(25_000)}`, 'x'))),
  'chunks of one byte': {
    ...json(`${'1\r\nx\r\n'.repeat(1_000_000)}0\r\n\r\n`), framing: 'chunked',
  },
};

const statusOf = (pid, field) =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

const posted = (url, { type, body, framing }) => new Promise((resolve) => {
  const socket = connect(new URL(url).port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => { text += chunk.toString('latin1'); }).on('error', () => undefined);
  socket.on('end', () => socket.end()).on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0)));
  socket.write(`POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${type}\r\nconnection: close\r\n`);
  socket.write(framing === 'chunked' ? 'transfer-encoding: chunked\r\n\r\n' : `content-length: ${body.length}\r\n\r\n`);
  socket.write(body);
});

/** The duration of the health check, or the time until it was aborted. */
const waited = (url) => new Promise((resolve) => {
  const start = performance.now();
  const done = () => resolve(performance.now() - start);
  request(`${url}/-/health`, { agent: false }, (response) => response.resume().on('end', done)).on('error', done).end();
});

const measured = async (shape) => {
  const server = await started(program, 'serve', '--json');
  const { url } = JSON.parse(server.line);
  await posted(url, json('{"body":"x"}'));
  for (let i = 0; i < 50; i++) await waited(url);
  const idle = { processor: processorTime(server.pid), memory: statusOf(server.pid, 'VmHWM') };
  const statuses = new Map();
  const waits = [];
  for (let round = 0; round < rounds; round++) {
    let isDone = false;
    const all = Promise.all(Array.from({ length: atOnce }, () => posted(url, shape))).finally(() => { isDone = true; });
    while (!isDone) {
      waits.push(await waited(url));
      await pause(2);
    }
    for (const status of await all) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  const processor = (processorTime(server.pid) - idle.processor) / (rounds * atOnce * shape.body.length / 1e6);
  const memory = statusOf(server.pid, 'VmHWM');
  await server.stop();
  return { statuses, processor, longest: Math.max(...waits), idle: idle.memory, memory };
};

console.log(`\n${atOnce} bodies at once, ${rounds} times (Node ${process.version})`);
for (const [name, shape] of Object.entries(shapes)) {
  const { statuses, processor, longest, idle, memory } = await measured(shape);
  const answers = [...statuses].map(([status, count]) => `${status || 'none'}: ${count}`).join(' ');
  console.log(`  ${name.padEnd(30)} ${(shape.body.length / 1e6).toFixed(1).padStart(4)} MB each`
    + `  ${processor.toFixed(1).padStart(5)} ms/MB  health ${longest.toFixed(0).padStart(5)} ms`
    + `  ${idle.toFixed(0).padStart(4)} to ${memory.toFixed(0).padStart(4)} MB  ${answers}`);
}

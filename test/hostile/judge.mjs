/** Judges the result of a case. */

/** Expects one of these exit codes and a message that matches. */
export const fails = (exits, says = /./) => ({ exits: [exits].flat(), says });

/** Expects success and output that matches. */
export const works = (out) => ({ exits: [0], out });

/** Expects success, with or without output. */
export const worksSilently = { exits: [0], out: null };

/** Expects success, with or without output, or exit code 10. */
export const worksOrFailsSilently = { exits: [0, 10], out: null, says: /./ };

/** Expects success and output that matches, or one of these exit codes and a message that matches. */
export const worksOrFails = (out, exits, says = /./) => ({ exits: [0, ...[exits].flat()], out, says });

/** Expects the exit code of a broken connection or an unusable response. */
export const unavailable = (says) => fails(10, says);

/** The problems of a run; none when it passed. */
export const problemsOf = (one, outcome, world) => {
  const { client, isLate, limit, signal, out, err } = outcome;
  if (isLate) return [`did not end within ${limit} seconds`];
  if (signal) return [`was ended by ${signal}`];
  const problems = client === 'program' ? ofProgram(one, outcome) : ofLibrary(one, outcome);
  const text = `${out}${err}`;
  if (text.includes(world.token)) problems.push('the output contains the token');
  if (/^ +at .+:\d+:\d+\)?$/m.test(err)) problems.push('stderr contains a stack');
  if (/\(node:\d+\)/.test(err)) problems.push('stderr contains a warning of Node');
  if (internal.test(messageOf(outcome))) problems.push('the message contains internals');
  const more = one.check?.(world, outcome);
  return more ? [...problems, more] : problems;
};

/** Internals that a message must not contain. */
const internal = /undefined|\[object |\bNaN\b|ERR_ASSERTION|assert\(|call stack|\(UNKNOWN\)/;

const documented = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 130];

const ofProgram = ({ expect, isSilent = false }, { code, out, err }) => {
  const problems = ofExit(expect, { code, out, err });
  if (isSilent && err !== '') problems.push('stderr is not empty');
  if (acting.test(err)) problems.push('stderr contains raw control characters');
  if (acting.test(out)) problems.push('stdout contains raw control characters');
  if (err.length > 4_000) problems.push(`the message has ${err.length} characters`);
  return problems;
};

const ofExit = (expect, { code, out, err }) => {
  const problems = documented.includes(code) ? [] : [`exit code ${code} is not documented`];
  if (!expect.exits.includes(code)) problems.push(`ended with ${code} where ${expect.exits.join(' or ')} is expected`);
  else if (code === 0) problems.push(...ofResult(expect, out));
  else if (!expect.says.test(err)) problems.push(`the message lacks ${expect.says}`);
  if (code === 0 && out === '' && expect.out !== null) problems.push('succeeded without a result');
  if (code !== 0 && err.trim() === '') problems.push('failed without a message');
  return problems;
};

/** Control characters of a terminal. */
const acting = new RegExp('[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028\\u2029'
  + '\\u202a-\\u202e\\u2066-\\u2069]', 'u');

const ofResult = ({ out }, text) => out && !out.test(text) ? [`succeeded without ${out} in the result`] : [];

/** The error classes that the library documents. */
const names = ['ApiError', 'ResponseError', 'NoResultError', 'ConnectionError'];

const ofLibrary = ({ expect }, { hasCrashed, code, error, out, err }) => {
  if (hasCrashed) return [`the process crashed with ${code}: ${firstLine(err)}`];
  const exit = error ? exitOf(error) : 0;
  if (error && !names.includes(error.name)) return [`failed with ${error.name}: ${error.message}`];
  if (!expect.exits.includes(exit)) {
    return [`${error ? `failed like exit ${exit}` : 'succeeded'} where exit ${expect.exits.join(' or ')} is expected`];
  }
  if (!error) return ofResult(expect, out);
  return exit === 0 || expect.says.test(error.message) ? [] : [`the message lacks ${expect.says}`];
};

/** The exit code of the program for an error of the library. */
const exitOf = ({ name, status }) => {
  if (name === 'NoResultError') return 0;
  if (name !== 'ApiError' || status >= 500) return 10;
  return { 401: 4, 403: 5, 404: 6, 429: 9 }[status] ?? 7;
};

const firstLine = (text) => text.trim().split('\n', 1)[0];

/** The message of a client, or its result. */
export const messageOf = ({ client, error, out, err }) => {
  if (client === 'library') return error ? `${error.name}: ${error.message}` : firstLine(out || err);
  const line = firstLine(err) || firstLine(out);
  return /^\{"error":\{.*"message":("(?:[^"\\]|\\.)*")/.exec(line)?.[1] ?? line;
};

/** Says what is wrong with how a process ended. */

/** A failure with one of these exit codes, whose message fits. */
export const fails = (exits, says = /./) => ({ exits: [exits].flat(), says });

/** Success, with output that fits. */
export const works = (out) => ({ exits: [0], out });

/** Success with output that fits, or a failure that is named. */
export const worksOrFails = (out, exits, says = /./) => ({ exits: [0, ...[exits].flat()], out, says });

/** The broken way to the service, or an answer that is none. */
export const unavailable = (says) => fails(10, says);

const documented = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 130];

/** What the library may fail with. */
const kinds = ['ApiError', 'AnswerError', 'NoResultError', 'ConnectionError'];

/** What went wrong, as sentences; none where the case has passed. */
export const problemsOf = (one, client, outcome, world) => {
  if (outcome.isLate) return [`did not end within ${outcome.limit} seconds`];
  if (outcome.signal) return [`was ended by ${outcome.signal}`];
  const problems = client === 'program' ? ofProgram(one, outcome) : ofLibrary(one, outcome);
  const { out, err } = outcome;
  if (`${out}${err}`.includes(world.token)) problems.push('the output holds the token');
  if (/^ +at .+:\d+:\d+\)?$/m.test(err)) problems.push('stderr holds a stack');
  if (/\(node:\d+\)/.test(err)) problems.push('stderr holds a warning of Node');
  const more = one.check?.(world, outcome, client);
  return more ? [...problems, more] : problems;
};

const ofProgram = ({ expect, isSilent = false }, { code, out, err }) => {
  const problems = [];
  if (!documented.includes(code)) problems.push(`exit code ${code} is not documented`);
  if (!expect.exits.includes(code)) problems.push(`ended with ${code} where ${expect.exits.join(' or ')} is expected`);
  if (code === 0 && expect.out && !expect.out.test(out)) problems.push(`succeeded without ${expect.out} on stdout`);
  if (code === 0 && out === '' && expect.out !== null) problems.push('succeeded without a result');
  if (code !== 0 && err.trim() === '') problems.push('failed without a message');
  if (code !== 0 && expect.exits.includes(code) && !expect.says.test(err)) problems.push(`the message lacks ${expect.says}`);
  if (isSilent && err !== '') problems.push('stderr is not empty');
  if (acting.test(err)) problems.push('stderr holds raw control characters');
  if (acting.test(out)) problems.push('stdout holds raw control characters');
  if (/undefined|\[object |\bNaN\b/.test(err)) problems.push('the message holds a placeholder');
  if (err.length > 4_000) problems.push(`the message has ${err.length} characters`);
  return problems;
};

/** What could act on a terminal. */
const acting = new RegExp('[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028\\u2029'
  + '\\u202a-\\u202e\\u2066-\\u2069]', 'u');

const ofLibrary = ({ expect }, { code, out, err }) => {
  if (code === 13) return ['the promise never settled'];
  if (code !== 0) return [`the process crashed with ${code}: ${firstLine(err)}`];
  const settled = parsed(out);
  if (settled === null) return ['printed no outcome'];
  const { error, value } = settled;
  if (!error) return ofValue(expect, JSON.stringify(value) ?? '');
  if (!kinds.includes(error.kind)) return [`failed with ${error.kind}: ${error.message}`];
  const exit = exitOf(error);
  const problems = [];
  if (!expect.exits.includes(exit)) problems.push(`failed like exit ${exit} where ${expect.exits.join(' or ')} is expected`);
  else if (!(expect.saysOfLibrary ?? expect.says).test(error.message)) problems.push(`the message lacks ${expect.says}`);
  return problems;
};

const ofValue = ({ exits, out }, text) => {
  if (!exits.includes(0)) return [`succeeded where exit ${exits.join(' or ')} is expected`];
  return out && !out.test(text) ? [`succeeded without ${out} in the value`] : [];
};

/** The exit code that the program has for an error of the library. */
const exitOf = ({ kind, status }) => {
  if (kind === 'NoResultError') return 0;
  if (kind !== 'ApiError' || status >= 500) return 10;
  return { 401: 4, 403: 5, 404: 6, 429: 9 }[status] ?? 7;
};

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

export const firstLine = (text) => text.trim().split('\n', 1)[0];

/** The line of the table: the program's first message, or what the library settled with. */
export const summaryOf = (client, { out, err }) => {
  if (client === 'program') return firstLine(err) || firstLine(out);
  const { error, value } = parsed(out) ?? {};
  if (error) return `${error.kind}: ${error.message}`;
  return value === undefined ? firstLine(err) : JSON.stringify(value);
};

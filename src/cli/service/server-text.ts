import { counted } from '../../text/messages.js';
import { plainLine } from '../../text/plain.js';
import { parseNearestRoute } from '../../wire/http.js';
import { redactSecrets } from '../../wire/secrets/redact.js';
import type { Paint, Tone } from '../terminal/io/style.js';
import { shortened } from '../terminal/io/width.js';
import { exportLines, type UsableServer } from './server-lines.js';

interface ReadyServer extends UsableServer {
  /** Contains the token that the page needs. */
  readonly inspectorUrl: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly data: string | undefined;
}

export const serverText = (ready: ReadyServer, paint: Paint): string => {
  const { inspectorUrl, tokens, counts, data } = ready;
  const row = (name: string, text: string) => `${paint('strong', name)}${' '.repeat(column - name.length)}${text}`;
  return [
    ...tokenLines(Object.entries(tokens), paint),
    paint('strong', 'to use it in another shell'),
    ...exportLines(ready).map((line) => `  ${line}`),
    row('inspector', inspectorUrl),
    row('world', countsText(counts)),
    row('data', data === undefined ? 'in memory; nothing is kept' : plainLine(redactSecrets(data))),
    'press Ctrl-C to stop',
  ].map((line) => `${line}\n`).join('');
};

const column = 'inspector'.length + 2;

/** More tokens would push the rest off the screen. */
const maxTokens = 20;

const tokenLines = (tokens: readonly (readonly [user: string, token: string])[], paint: Paint): string[] => {
  if (tokens.length === 0) return ['no tokens are known: use those of the world or the service that the data is from'];
  const shown = tokens.slice(0, maxTokens).map(([user, token]) => [plainLine(user), plainLine(token)] as const);
  const width = Math.max(...shown.map(([user]) => user.length));
  const more = tokens.length > maxTokens ? [`  showing ${maxTokens} of ${tokens.length}; use --json to print all`] : [];
  return [paint('strong', 'tokens'), ...shown.map(([user, token]) => `  ${user.padEnd(width)}  ${token}`), ...more];
};

const countsText = (counts: ReadyServer['counts']): string => Object.entries(counts).filter(([, count]) => count > 0)
  .map(([name, count]) => counted(count, name.replace(/s$/, ''), name).replaceAll('_', ' ')).join(', ');

export interface ServedRequest {
  readonly status: number;
  readonly method: string;
  readonly target: string;
  /** In milliseconds. */
  readonly duration: number;
  readonly user: string | null;
  readonly missing: string | null;
  readonly operation: string | null;
  /** Parameters that the operation ignores. */
  readonly unread: readonly string[];
  readonly world: string | null;
}

const tones: Readonly<Record<string, Tone>> = { 2: 'done', 3: 'code', 4: 'open', 5: 'removed' };

const minTargetWidth = 40;

/** How many pairs of an operation and a name are remembered; those of later ones are not noted. */
const mostNoted = 1_000;

/** A line for each request. An ignored parameter is noted once for each operation. */
export const createRequestText = (paint: Paint): (request: ServedRequest, columns: number) => string => {
  const noted = new Set<string>();
  const isNew = (pair: string): boolean => {
    const { size } = noted;
    return size < mostNoted && noted.add(pair).size > size;
  };
  return (request, columns) => {
    const { operation, unread, missing } = request;
    const names = unread.filter((name) => isNew(`${operation} ${name}`)).map(plainLine);
    const note = missing !== null ? `  no such route; nearest ${parseNearestRoute(missing)}`
      : names.length > 0 ? `  does not read ${names.join(', ')}` : '';
    return requestLine(request, note, paint, columns);
  };
};

const requestLine = (request: ServedRequest, note: string, paint: Paint, columns: number): string => {
  const { status, method, target, duration, user, world } = request;
  const code = String(status);
  const verb = plainLine(method).padEnd('DELETE'.length);
  const facts = `${duration} ms  ${user === null ? '-' : plainLine(user)}`;
  const room = Math.max(minTargetWidth, columns - `${code} ${verb}   ${facts}${note}`.length);
  const path = shortened(plainLine(world === null ? target : `/w/${world}${target}`), room);
  const tone = tones[code.charAt(0)] ?? null;
  return `${paint(tone, code)} ${verb} ${path}  ${paint('faint', facts)}${paint('open', note)}\n`;
};

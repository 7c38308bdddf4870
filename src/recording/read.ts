import * as Type from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { groupedBy } from '../text/groups.js';
import { jsonOrNull } from '../wire/json.js';
import { redactRequest } from '../wire/secrets/redact.js';
import {
  isHeader, type PseudonymKind, type RecordedExchange, recordedOrigin, RecordingError, RecordingGap, responseProblem,
} from './exchange.js';
import { isOfConnection, isPersonal, replaceAddress } from './messages.js';

/**
 * A recording, or an HTTP archive (HAR), in the order of the lines. A last line that is cut is left out: the program
 * was killed while it wrote it.
 * @param source the name of the text in errors
 * @param onDamage takes what is wrong with lines that are left out; without it, only a cut last line is
 * @throws RecordingError
 */
export const readRecording = (
  text: string, source: string, onDamage?: (error: RecordingError) => void,
): readonly RecordedExchange[] => {
  const archive = /^\s*\{\s*"log"/.test(text) ? jsonOrNull(text) : null;
  return isArchive(archive) ? exchangesOf(archive.log.entries, source, onDamage)
    : readExchanges(text, source, onDamage);
};

const Body = Type.Union([Type.String(), Type.Object({ base64: Type.String() })]);

const Headers = Type.Record(Type.String(), Type.String());

const Replaced = Type.Partial(Type.Object({
  user: Type.Array(Type.String()), name: Type.Array(Type.String()), mail: Type.Array(Type.String()),
  host: Type.Array(Type.String()), digest: Type.Array(Type.String()),
} satisfies Record<PseudonymKind, Type.TSchema>));

const Exchange = Type.Object({
  time: Type.String(),
  duration: Type.Number({ minimum: 0 }),
  user: Type.Union([Type.Object({ id: Type.Integer(), username: Type.String() }), Type.Null()]),
  request: Type.Object({ method: Type.String(), target: Type.String(), headers: Headers, body: Body }),
  response: Type.Object({ status: Type.Number(), headers: Headers, body: Body }),
  replaced: Type.Optional(Replaced),
});

const readExchanges = (
  text: string, source: string, onDamage?: (error: RecordingError) => void,
): RecordedExchange[] => {
  const cut = cutLine(text);
  const lines = text.split('\n').slice(0, cut === null ? undefined : cut - 1);
  const damage: RecordingError[] = [];
  const exchanges = lines.flatMap((line, i) => {
    try {
      return line.trim() === '' ? [] : [readLine(line, `${source}:${i + 1}`)];
    } catch (error) {
      damage.push(error as RecordingError);
      return [];
    }
  });
  const [first] = damage;
  if (first && (onDamage === undefined || exchanges.length === 0)) throw first;
  if (cut !== null) {
    damage.push(new RecordingGap(`${source}:${cut}: the line is cut; its exchange and later ones are missing`,
      'record the requests again'));
  }
  if (onDamage) damage.forEach(onDamage);
  if (exchanges.length > 0) return exchanges;
  throw new RecordingError(`${source} has no exchanges`, 'record some with `serve --proxy URL --record FILE`');
};

/** The number of the last line, from 1, if it was not written to its end; null for a whole recording or archive. */
export const cutLine = (text: string): number | null => {
  const lines = text.split('\n');
  const last = lines.at(-1)!;
  const isWhole = last.trim() === '' || [last, text].some((json) => jsonOrNull(json) !== null);
  return isWhole ? null : lines.length;
};

const readLine = (line: string, place: string): RecordedExchange => {
  const hint = 'use a file of `serve --record`, or an HTTP archive (HAR)';
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new RecordingError(`${place}: not JSON`, hint, { cause });
  }
  if (!Value.Check(Exchange, value)) {
    const problem = Value.Errors(Exchange, value).First()!;
    throw new RecordingError(`${place}: not an exchange: ${problem.path || '/'}: ${problem.message}`, hint);
  }
  const problem = responseProblem(value.response);
  if (problem !== null) throw new RecordingError(`${place}: not an exchange: ${problem}`, hint);
  return value;
};

const Pairs = Type.Array(Type.Object({ name: Type.String(), value: Type.String() }));

/** What a replay needs of an entry of an HTTP archive (HAR 1.2). */
const Entry = Type.Object({
  startedDateTime: Type.String(),
  time: Type.Number(),
  request: Type.Object({
    method: Type.String(), url: Type.String(), headers: Pairs,
    postData: Type.Optional(Type.Object({ text: Type.Optional(Type.String()) })),
  }),
  response: Type.Object({
    status: Type.Integer(), headers: Pairs,
    content: Type.Object({
      size: Type.Optional(Type.Number()), compression: Type.Optional(Type.Number()),
      text: Type.Optional(Type.String()), encoding: Type.Optional(Type.String()),
    }),
  }),
  comment: Type.Optional(Type.String()),
});
type Entry = Type.Static<typeof Entry>;

const isArchive = (value: unknown): value is { readonly log: { readonly entries: readonly unknown[] } } =>
  Value.Check(Type.Object({ log: Type.Object({ entries: Type.Array(Type.Unknown()) }) }), value);

/**
 * The exchanges of an archive, as browsers and proxies save it, with the service that most requests of the API went to.
 * Others are left out, and so are those that were not saved as a whole (`onGap`). An archive has no pseudonyms.
 */
const exchangesOf = (
  entries: readonly unknown[], source: string, onGap: (gap: RecordingGap) => void = () => undefined,
): RecordedExchange[] => {
  const invalid = (i: number, problem: string): RecordingError =>
    new RecordingError(`${source}: log.entries[${i}]${problem}`, 'use an HTTP archive (HAR 1.2)');
  const read = entries.map((entry, i) => {
    if (!Value.Check(Entry, entry)) {
      const { path, message } = Value.Errors(Entry, entry).First()!;
      throw invalid(i, `${path.replaceAll('/', '.')}: ${message}`);
    }
    const { status } = entry.response;
    const problem = status < 200 ? null : responseProblem({ status, headers: {} });
    if (problem !== null) throw invalid(i, problem.replaceAll('/', '.'));
    return { ...entry, gap: gapOf(entry, `${source}: log.entries[${i}]`) };
  });
  const base = mostFrequent(read.flatMap(({ request, response }) =>
    response.status < 200 ? [] : /^(https?:\/\/.+?)\/api\/v4\//.exec(request.url)?.[1] ?? []));
  if (base === null) {
    throw new RecordingError(`${source} has no request to /api/v4`, 'use an archive with requests to the service');
  }
  const own = read.filter(({ request }) => request.url.startsWith(`${base}/`));
  own.forEach(({ gap }) => { if (gap !== null) onGap(gap); });
  return own.filter(({ gap, response }) => gap === null && response.status >= 200)
    .map((entry) => exchangeOf(entry, base));
};

/** Browsers save requests that failed, and leave out large bodies or cut them, as the log of the test server does. */
const gapOf = (
  { request, response: { status, content }, comment = '' }: Entry, place: string,
): RecordingGap | null => {
  const hint = 'save the archive again, with the content of all responses';
  if (status < 100) return new RecordingGap(`${place} has no response`, hint);
  const hasBody = request.method.toUpperCase() !== 'HEAD' && status >= 200 && status !== 204 && status !== 304;
  const isMissing = hasBody && content.text === undefined && (content.size ?? 0) > 0;
  if (isMissing) return new RecordingGap(`${place} has no body, of ${content.size} bytes`, hint);
  const isCut = comment.startsWith('truncated:') || (hasBody && isShortened(content));
  return isCut ? new RecordingGap(`${place} has a cut body`,
    'use an archive with whole bodies, or record the requests with `serve --proxy URL --record FILE`') : null;
};

const byteOrderMark = 3;

/** JSON that can be read is whole: text without a secret is shorter too. mitmproxy gives the compressed size. */
const isShortened = ({ size = 0, compression = 0, text = '', encoding }: Entry['response']['content']): boolean => {
  const known = Buffer.byteLength(text, encoding === 'base64' ? 'base64' : 'utf8') + byteOrderMark;
  return known < size + Math.min(0, compression) && jsonOrNull(text) === null;
};

const mostFrequent = (texts: readonly string[]): string | null =>
  [...groupedBy(texts, (text) => text)].sort(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? null;

const exchangeOf = ({ startedDateTime, time, request, response }: Entry, base: string): RecordedExchange => {
  const change = replaceAddress(base, recordedOrigin);
  const archivedHeaders = (pairs: Type.Static<typeof Pairs>): Record<string, string> => Object.fromEntries(pairs
    // Browsers write several headers of one name as lines.
    .map(({ name, value }) => [name.toLowerCase(), change(value).replace(/(?<!\s)\s*\n\s*/g, ', ')] as const)
    .filter(([name, value]) => isHeader(name, value) && !isOfConnection(name) && !isPersonal(name)));
  const method = request.method.toUpperCase();
  const target = request.url.slice(base.length).replace(/#.*/, '');
  const body = change(request.postData?.text ?? '');
  const { text = '', encoding } = response.content;
  return {
    time: startedDateTime, duration: Math.max(0, time), user: null,
    request: { method, ...redactRequest({ method, target, headers: archivedHeaders(request.headers), body }) },
    response: {
      status: response.status, headers: archivedHeaders(response.headers),
      body: encoding === 'base64' ? { base64: text } : change(text),
    },
  };
};

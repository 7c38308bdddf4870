import * as Type from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { jsonOrNull } from '../wire/json.js';
import { redactRequest } from '../wire/secrets/redact.js';
import {
  isHeader, readExchanges, type RecordedExchange, recordedOrigin, RecordingError, RecordingGap, responseProblem,
} from './exchange.js';
import { isOfConnection, isPersonal, replaceAddress } from './messages.js';

/** A recording, or an HTTP archive (HAR). The parameters are those of `readExchanges`. @throws RecordingError */
export const readRecording = (
  text: string, source: string, onDamage?: (error: RecordingError) => void,
): readonly RecordedExchange[] => {
  const archive = /^\s*\{\s*"log"/.test(text) ? jsonOrNull(text) : null;
  return isArchive(archive) ? exchangesOf(archive.log.entries, source, onDamage)
    : readExchanges(text, source, onDamage);
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
      size: Type.Optional(Type.Number()), text: Type.Optional(Type.String()), encoding: Type.Optional(Type.String()),
    }),
  }),
});
type Entry = Type.Static<typeof Entry>;

const isArchive = (value: unknown): value is { readonly log: { readonly entries: readonly unknown[] } } =>
  Value.Check(Type.Object({ log: Type.Object({ entries: Type.Array(Type.Unknown()) }) }), value);

/**
 * The exchanges of an archive, as browsers and proxies save it, with the service that most requests of the API went to.
 * Others are left out, and so are those whose response was not saved. An archive has no pseudonyms.
 * @param source the name of the archive in errors
 * @param onGap takes which responses were not saved
 * @throws RecordingError
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

/** Browsers save requests that failed, and leave out large bodies. */
const gapOf = ({ request, response: { status, content } }: Entry, place: string): RecordingGap | null => {
  const hint = 'save the archive again, with the content of all responses';
  if (status < 100) return new RecordingGap(`${place} has no response`, hint);
  const hasBody = request.method.toUpperCase() !== 'HEAD' && status >= 200 && status !== 204 && status !== 304;
  const isMissing = hasBody && content.text === undefined && (content.size ?? 0) > 0;
  return isMissing ? new RecordingGap(`${place} has no body, of ${content.size} bytes`, hint) : null;
};

const mostFrequent = (texts: readonly string[]): string | null => {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
};

const exchangeOf = ({ startedDateTime, time, request, response }: Entry, base: string): RecordedExchange => {
  const change = replaceAddress(base, recordedOrigin);
  const archivedHeaders = (pairs: Type.Static<typeof Pairs>): Record<string, string> => Object.fromEntries(pairs
    // Browsers write several headers of one name as lines.
    .map(({ name, value }) => [name.toLowerCase(), change(value).replace(/\s*\n\s*/g, ', ')] as const)
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

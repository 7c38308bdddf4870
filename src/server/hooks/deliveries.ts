import { redactResponse, redactSecrets } from '../../wire/secrets/redact.js';
import { redactedMark } from '../../wire/secrets/known.js';
import { anySignal, clearTimeout, setTimeout } from '../../wire/time.js';
import { createAbortController } from '../http/delivery.js';
import type { Sleep } from '../http/middleware.js';
import { createWaits } from '../http/request-log.js';
import type { Announcement } from './announce.js';
import type { EventKind, HookDelivery, HookFault } from './events.js';
import { createHostRules, createPauses, eventHeader, hookAddress } from './rules.js';
import type { Sent } from './send.js';

/** One attempt to call a webhook, without its secret. */
export interface Delivery {
  /** Counts from 1; a repeated delivery gets a new one. */
  readonly id: number;
  /** The id of the webhook. */
  readonly hook: number;
  /** What the webhook reported. */
  readonly event: EventKind;
  /** The address of the webhook, without secrets. */
  readonly url: string;
  /** What the server sent to the webhook. */
  readonly request: {
    /** The headers as sent; the secret token is redacted. */
    readonly headers: Readonly<Record<string, string>>;
    /** The JSON of the event, parsed. */
    readonly body: unknown;
  };
  /** Null if there was no response. */
  readonly status: number | null;
  /** What the webhook sent back; null if there was no response. */
  readonly response: {
    /** The headers by names in lower case. */
    readonly headers: Readonly<Record<string, string>>;
    /** The body as text; null if it is not text. */
    readonly body: string | null;
  } | null;
  /** Why there was no response; null if there was one. */
  readonly error: string | null;
  /** When the attempt started by the clock of the server, in ISO 8601. */
  readonly time: string;
}

interface DeliveryOptions {
  readonly now: () => Date;
  readonly sleep: Sleep;
  readonly address: () => string;
  readonly uniqueHex: (length: number) => string;
  readonly allowed?: readonly string[] | undefined;
  readonly faultOf: (delivery: HookDelivery) => HookFault | null;
}

export type Hooks = ReturnType<typeof createHooks>;

interface Job extends Announcement { readonly url: URL; readonly headers: Readonly<Record<string, string>> }

const limits = { count: 1_000, characters: 16_777_216, pending: 10_000, pendingCharacters: 67_108_864 };

/** behavior: hooks.timeout */
const timeout = 10_000;

const longestHold = 1_000;

/** Deliveries of a webhook are sent one after the other (behavior: hooks.after-commit). */
export const createHooks = (options: DeliveryOptions) => {
  const { now, sleep, faultOf } = options;
  const { isAllowed, mayReach } = createHostRules(options.allowed);
  const pauses = createPauses(now);
  const waits = createWaits<Delivery>();
  let state = emptyState();

  const keep = (job: Job, outcome: SendOutcome): Delivery => {
    const { kept } = state;
    const delivery = createDelivery(++state.lastId, job, outcome);
    kept.push({ delivery, job });
    state.keptCharacters += job.body.length;
    while (kept.length > limits.count || state.keptCharacters > limits.characters && kept.length > 1) {
      state.keptCharacters -= kept.shift()!.job.body.length;
    }
    waits.report(delivery);
    return delivery;
  };
  const attempt = async (job: Job, signal: AbortSignal): Promise<Delivery | null> => {
    const time = now().toISOString();
    const outcome = await sendJob(job, isAllowed(job.url), signal);
    if (signal.aborted) return null;
    pauses.count(job.hook.id, outcome.sent !== null && outcome.sent.status >= 200 && outcome.sent.status < 300);
    return keep(job, { ...outcome, time });
  };
  const refuse = (job: Job, error: string): void => {
    keep(job, { sent: null, error, time: now().toISOString() });
  };
  const perform = async (job: Job, fault: HookFault | null, signal: AbortSignal): Promise<void> => {
    if (fault?.kind === 'drop') return refuse(job, 'dropped by a fault rule');
    if (fault?.kind === 'delay') await sleep(fault.milliseconds, signal).catch(() => undefined);
    for (let left = fault?.kind === 'repeat' ? fault.times : 1; left > 0 && !signal.aborted; left--) {
      const until = pauses.until(job.hook.id);
      if (until === null) await attempt(job, signal);
      else refuse(job, `paused until ${until} after failures in a row`);
    }
  };
  const enqueue = (job: Job, fault: HookFault | null): void => {
    const { id } = job.hook;
    const own = state;
    const { queues, stopping: { signal } } = own;
    if (own.pending >= limits.pending || own.pendingCharacters + job.body.length > limits.pendingCharacters) {
      return refuse(job, 'too many deliveries are pending');
    }
    own.pending++;
    own.pendingCharacters += job.body.length;
    const done = (queues.get(id) ?? Promise.resolve()).then(async () => {
      if (!signal.aborted) await perform(job, fault, signal);
      own.pending--;
      own.pendingCharacters -= job.body.length;
      if (queues.get(id) === done) queues.delete(id);
    });
    queues.set(id, done);
  };
  /** The delivery is sent behind the next one, if there is one soon. */
  const hold = (job: Job): void => {
    const { held, stopping: { signal } } = state;
    const { id } = job.hook;
    held.set(id, job);
    void sleep(longestHold, signal).catch(() => undefined).then(() => {
      if (signal.aborted || held.get(id) !== job) return;
      held.delete(id);
      enqueue(job, null);
    });
  };
  const add = (job: Job): void => {
    const { held } = state;
    const fault = faultOf(job);
    const former = held.get(job.hook.id);
    if (fault?.kind === 'reorder' && !former) return hold(job);
    enqueue(job, fault);
    if (!former) return;
    held.delete(job.hook.id);
    enqueue(former, null);
  };
  return {
    mayReach, pausedUntil: pauses.until,
    /** Is called after the commit, and returns at once. */
    announce: (announcements: readonly Announcement[]): void => {
      if (state.stopping.signal.aborted) return;
      for (const one of announcements) add(createJob(one, options));
    },
    all: (): readonly Delivery[] => state.kept.map(({ delivery }) => delivery),
    /** Sends a delivery again, without faults. Null if it is not known. */
    redeliver: async (id: number): Promise<Delivery | null> => {
      const found = state.kept.find(({ delivery }) => delivery.id === id);
      return found ? attempt(found.job, state.stopping.signal) : null;
    },
    next: waits.next,
    drop: (): void => {
      if (state.stopping.signal.aborted) return;
      state.stopping.abort();
      state = emptyState();
      pauses.clear();
    },
    close: (): void => {
      state.stopping.abort();
      waits.close();
    },
  };
};

const emptyState = () => ({
  stopping: createAbortController(), lastId: 0,
  kept: [] as { readonly delivery: Delivery; readonly job: Job }[], keptCharacters: 0,
  pending: 0, pendingCharacters: 0, queues: new Map<number, Promise<void>>(), held: new Map<number, Job>(),
});

const createJob = (one: Announcement, { address, uniqueHex }: DeliveryOptions): Job => {
  const { hook, name, edition } = one;
  const event = uuidFrom(uniqueHex(32));
  return {
    ...one,
    url: hookAddress(hook.url)!,
    headers: {
      'Content-Type': 'application/json', 'User-Agent': `GitLab/${edition.version}`, [eventHeader]: name,
      'X-Gitlab-Instance': address(), 'X-Gitlab-Webhook-UUID': uuidFrom(hook.uuid), 'X-Gitlab-Event-UUID': event,
      'Idempotency-Key': uuidFrom(uniqueHex(32)), ...(hook.token !== null && { [secretHeader]: hook.token }),
    },
  };
};

const secretHeader = 'X-Gitlab-Token';

const uuidFrom = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');

interface SendOutcome { readonly sent: Sent | null; readonly error: string | null; readonly time: string }

const sendJob = async (job: Job, isTrusted: boolean, stop: AbortSignal): Promise<Omit<SendOutcome, 'time'>> => {
  const deadline = createAbortController();
  const timer = setTimeout(() => { deadline.abort(); }, timeout);
  try {
    const { sendHook } = await import('./send.js');
    const { url, headers, body, hook } = job;
    const request = { url, headers, body, verifiesCertificate: hook.enable_ssl_verification === 1 };
    return { sent: await sendHook(request, isTrusted, anySignal(stop, deadline.signal)), error: null };
  } catch (error) {
    const reason = deadline.signal.aborted ? `no response in ${timeout / 1_000} s` : errorText(error);
    return { sent: null, error: redactSecrets(reason) };
  } finally {
    clearTimeout(timer);
  }
};

const errorText = (error: unknown): string => {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || 'the connection failed';
};

const createDelivery = (
  id: number, { hook, event, url, headers, body }: Job, { sent, error, time }: SendOutcome,
): Delivery => ({
  id, hook: hook.id, event, url: redactSecrets(url.href),
  request: {
    headers: { ...headers, ...(hook.token !== null && { [secretHeader]: redactedMark }) },
    get body() { return JSON.parse(body) as unknown; },
  },
  status: sent?.status ?? null,
  response: sent && shownResponse(sent),
  error, time,
});

/** A body without a content type counts as text. */
const shownResponse = ({ headers, body }: Sent): Delivery['response'] => ({
  headers: redactResponse(headers, null).headers,
  body: redactResponse({ 'content-type': 'text/plain', ...headers }, body).body,
});

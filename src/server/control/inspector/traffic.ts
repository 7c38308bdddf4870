import { html, type Html } from '../../../page/html.js';
import { counted } from '../../../text/messages.js';
import { plainLine, plainText } from '../../../text/plain.js';
import { parseNearestRoute } from '../../../wire/http.js';
import { sleep } from '../../../wire/time.js';
import type { CountedRule } from '../../faults/rules.js';
import type { Delivery } from '../../hooks/deliveries.js';
import type { UrlOf } from '../../http/addresses.js';
import type { LoggedExchange } from '../../http/request-log.js';
import type { Operations } from '../operations.js';
import { curlText } from '../requests.js';
import { time, type View } from './page.js';

/** The script of the page keeps as many. */
const mostShown = 200;

export const requestsView: View = async ({ log }, at, urlOf) => {
  if (at !== '') return { html: detail(log.all(({ id }) => id === at)[0], urlOf) };
  const all = log.all();
  const shown = all.slice(-mostShown).reverse();
  return { html: html`<section aria-labelledby="requests"><h2 id="requests">Requests</h2>
${all.length > mostShown ? html`<p class="meta">The latest ${String(mostShown)} of ${String(all.length)}.</p>` : null}
${all.length === 0 ? html`<p class="empty">There are none yet. New ones appear here as they come.</p>` : null}
<label class="wide">Filter <input type="search" id="filter" autocomplete="off" spellcheck="false"
 placeholder="POST */notes, 404, user or part of an address"></label>
<ul class="requests" aria-label="Requests">${shown.map(row)}</ul></section>` };
};

const row = (request: LoggedExchange): Html => {
  const { id, method, target, status, duration, user, missing, unread } = request;
  return html`<li><details class="request" data-id="${id}"><summary>
<span class="code${status >= 400 ? ' failed' : ''}">${String(status)}</span>
<span class="method">${plainLine(method)}</span>
<code>${plainLine(target)}</code>
${missing === null ? null : html`<span class="badge missing">${missingText(missing)}</span>`}
${unread.length === 0 ? null : html`<span class="badge unread">nothing reads ${plainLine(unread.join(', '))}</span>`}
<span class="meta">${plainLine(user ?? 'no user')} · ${String(duration)} ms · ${time(request.time)}</span>
</summary><div data-load="inspector/requests?at=${encodeURIComponent(id)}"></div></details></li>`;
};

const missingText = (missing: string): string => {
  const nearest = parseNearestRoute(missing);
  return `nothing serves this${nearest === null ? '' : `; nearest is ${nearest}`}`;
};

const detail = (request: LoggedExchange | undefined, urlOf: UrlOf): Html => {
  if (request === undefined) return html`<p class="empty">The log no longer has this request.</p>`;
  const { headers, body, response } = request;
  return html`<div data-copied><button type="button" data-action="copy">Copy as curl</button>
<details><summary>curl</summary><pre class="source curl" tabindex="0" aria-label="curl command">${
  curlText([request], urlOf).trim()}</pre></details></div>
<h3>Request</h3>${headerList(headers)}${bodyText(body, request.isTruncated, 'Body of the request')}
<h3>Response</h3>${headerList(response.headers)}${response.body === null
    ? html`<p class="empty">The body is not text, or made room for newer ones.</p>`
    : bodyText(response.body, response.isTruncated, 'Body of the response')}`;
};

const headerList = (headers: Readonly<Record<string, string>>): Html =>
  html`<dl class="headers">${Object.entries(headers).map(([name, value]) =>
    html`<div><dt>${plainLine(name)}:</dt> <dd>${plainLine(value)}</dd></div>\n`)}</dl>`;

/** Prints JSON with indents. A scrolling area can be reached by keyboard. */
const bodyText = (text: string, isTruncated: boolean, label: string): Html => text === ''
  ? html`<p class="empty">No body.</p>`
  : html`<pre class="source" tabindex="0" aria-label="${label}">${plainText(indented(text))}</pre>${isTruncated
    ? html`<p class="meta">The first ${counted(text.length, 'character')}.</p>` : null}`;

const indented = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** How many milliseconds pass before it looks for what no request tells, such as a reset, and between requests. */
const pauses = { quiet: 1_000, busy: 100 };

/**
 * Server-sent events: `requests` with the rows of new ones, oldest first, `reset` when the log was cleared, `changed`
 * for anything else. Costs nothing while nobody listens.
 */
export async function* liveEvents(operations: Operations, signal: AbortSignal): AsyncGenerator<string, void> {
  const { log } = operations;
  let last = log.lastId();
  let before = pulseOf(operations);
  yield ': connected\n\n';
  while (!signal.aborted) {
    await log.next(() => true, pauses.quiet, signal);
    await sleep(pauses.busy, signal).catch(() => undefined);
    if (signal.aborted || log.isClosed()) return;
    const isReset = last !== null && !log.has(last);
    const found = last === log.lastId() || isReset ? [] : log.latest(mostShown, last);
    last = log.lastId();
    const pulse = pulseOf(operations);
    if (isReset) yield event('reset');
    else if (found.length > 0) yield event('requests', html`${found.map(row)}`.markup);
    else if (pulse !== before) yield event('changed');
    before = pulse;
  }
}

const event = (name: string, data: unknown = null): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** The text changes when something changed that requests do not show. */
const pulseOf = ({ faults, hooks, clock }: Operations): string => JSON.stringify([
  faults.state().rules.map(({ on, hits }) => [on, hits]), hooks.all().at(-1)?.id ?? null,
  clock.state().frozen && clock.state().now,
]);

const mostDeliveries = 100;

export const hooksView: View = async ({ hooks }) => {
  const all = hooks.all();
  return { html: html`<section aria-labelledby="hooks"><h2 id="hooks">Webhooks</h2>
${all.length === 0 ? html`<p class="empty">Nothing has been delivered. Webhooks come from the world, or from
<code>POST /projects/:id/hooks</code>.</p>` : null}
${all.length <= mostDeliveries ? null
  : html`<p class="meta">The latest ${String(mostDeliveries)} of ${String(all.length)} deliveries.</p>`}
${all.slice(-mostDeliveries).reverse().map(deliveryItem)}</section>` };
};

const deliveryItem = ({ id, event, url, status, error, time: at, request, response }: Delivery): Html =>
  html`<details class="delivery" data-id="delivery-${String(id)}"><summary><span class="code${
    status !== null && status < 400 ? '' : ' failed'}">${status === null ? 'no response' : String(status)}</span>
<span class="method">${event}</span><code>${plainLine(url)}</code><span class="meta">${time(at)}</span></summary>
<div>${error === null ? null : html`<p>${plainLine(error)}</p>`}
<p><button type="button" data-action="redeliver" data-id="${String(id)}">Deliver again</button></p>
<h3>Request</h3>${bodyText(JSON.stringify(request.body), false, 'Body of the delivery')}
${response === null ? null : html`<h3>Response</h3>${
  bodyText(response.body ?? '', false, 'Body of the response')}`}</div>
</details>`;

export const faultsView: View = async ({ faults }) => {
  const { seed, rules } = faults.state();
  return { html: html`<section aria-labelledby="faults"><h2 id="faults">Faults</h2>
${rules.length === 0 ? html`<p class="empty">There are none.</p>` : html`<ul class="rules">${rules.map(ruleItem)}</ul>
<p><button type="button" data-action="clear-faults">Remove all faults</button> <span class="meta">Seed ${
  String(seed)}</span></p>`}
<form id="add-fault"><label class="wide">New rule
<input name="rule" id="rule" required autocomplete="off" spellcheck="false"
 placeholder="POST /projects/* =&gt; status 500 after p=0.3 times=2"></label><button>Add</button></form></section>` };
};

const ruleItem = ({ on, do: effect, hits, ...conditions }: CountedRule, index: number) => {
  const others = Object.entries(conditions).filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const shown = typeof effect === 'string' ? effect : JSON.stringify(effect);
  return html`<li class="rule"><code>${plainLine(on)} → ${plainLine(shown)}</code>
<span>${plainLine(others.join(' · '))}</span><span class="hits">${counted(hits, 'hit')}</span>
<button type="button" data-action="remove-fault" data-index="${String(index)}" aria-label="Remove rule ${
  String(index + 1)}">Remove</button></li>`;
};

import { html, type Html } from '../../../../page/html.js';
import { plainLine, plainText } from '../../../../text/plain.js';
import { counted } from '../../../../text/messages.js';
import { nearestRouteOf } from '../../../../wire/error-response.js';
import type { LoggedExchange } from '../../../http/request-log.js';
import { curlText } from '../../request-log/curl.js';
import { unreadParameters } from '../unread.js';
import { time } from './time.js';
import type { View, ViewContext } from './view.js';

/** The page keeps as many. */
const most = 200;

/** The latest ones, newest first; the script adds further ones as they come. */
export const requestsView: View = async ({ log }, at, context) => {
  if (at !== '') return { html: detail(log.all(({ id }) => id === at)[0], context) };
  const all = log.all();
  const shown = all.slice(-most).reverse();
  return { html: html`<section aria-labelledby="requests"><h2 id="requests">Requests</h2>
${all.length > most ? html`<p class="meta">The latest ${String(most)} of ${String(all.length)}.</p>` : null}
${all.length === 0 ? html`<p class="empty">There are none yet. New ones appear here as they come.</p>` : null}
<ul class="requests" aria-label="Requests">${await requestRows(shown, context)}</ul></section>` };
};

export const requestRows = async (requests: readonly LoggedExchange[], context: ViewContext): Promise<Html> =>
  html`${await Promise.all(requests.map((request) => row(request, context)))}`;

const row = async (request: LoggedExchange, { edition }: ViewContext): Promise<Html> => {
  const { id, method, target, status, duration, user, missing } = request;
  const unread = await unreadParameters(request, edition);
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
  const nearest = nearestRouteOf(missing);
  return `nothing serves this${nearest === null ? '' : `; nearest is ${nearest}`}`;
};

const detail = (request: LoggedExchange | undefined, { urlOf }: ViewContext): Html => {
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

/** JSON with indents. A scrolling area can be reached by keyboard. */
export const bodyText = (text: string, isTruncated: boolean, label: string): Html => text === ''
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

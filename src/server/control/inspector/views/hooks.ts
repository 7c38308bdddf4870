import { html, type Html } from '../../../../page/html.js';
import { plainLine } from '../../../../text/plain.js';
import type { Delivery } from '../../../hooks/deliveries.js';
import { bodyText } from './requests.js';
import { time } from './time.js';
import type { View } from './view.js';

const most = 100;

/** The latest deliveries, newest first. */
export const hooksView: View = async ({ hooks }) => {
  const all = hooks.all();
  return { html: html`<section aria-labelledby="hooks"><h2 id="hooks">Webhooks</h2>
${all.length === 0 ? html`<p class="empty">Nothing has been delivered. Webhooks come from the world, or from
<code>POST /projects/:id/hooks</code>.</p>` : null}
${all.length > most ? html`<p class="meta">The latest ${String(most)} of ${String(all.length)} deliveries.</p>` : null}
${all.slice(-most).reverse().map(item)}</section>` };
};

const item = ({ id, event, url, status, error, time: at, request, response }: Delivery): Html =>
  html`<details class="delivery" data-id="delivery-${String(id)}"><summary><span class="code${
    status !== null && status < 400 ? '' : ' failed'}">${status === null ? 'no response' : String(status)}</span>
<span class="method">${event}</span><code>${plainLine(url)}</code><span class="meta">${time(at)}</span></summary>
<div>${error === null ? null : html`<p>${plainLine(error)}</p>`}
<p><button type="button" data-action="redeliver" data-id="${String(id)}">Deliver again</button></p>
<h3>Request</h3>${bodyText(JSON.stringify(request.body), false, 'Body of the delivery')}
${response === null ? null : html`<h3>Response</h3>${
  bodyText(response.body ?? '', false, 'Body of the response')}`}</div>
</details>`;

import { html } from '../../../../page/html.js';
import { counted } from '../../../../text/messages.js';
import { plainLine } from '../../../../text/plain.js';
import type { CountedRule } from '../../../faults/faults.js';
import type { View } from './view.js';

/** The rules in use with their hits, and a form for another one. */
export const faultsView: View = async ({ faults }) => {
  const { seed, rules } = faults.state();
  return { html: html`<section aria-labelledby="faults"><h2 id="faults">Faults</h2>
${rules.length === 0 ? html`<p class="empty">There are none.</p>` : html`<ul class="rules">${rules.map(item)}</ul>
<p><button type="button" data-action="clear-faults">Remove all faults</button> <span class="meta">Seed ${
  String(seed)}</span></p>`}
<form id="add-fault"><label class="wide">New rule
<input name="rule" id="rule" required autocomplete="off" spellcheck="false"
 placeholder="POST /projects/* =&gt; status 500 after p=0.3 times=2"></label><button>Add</button></form></section>` };
};

const item = ({ on, do: effect, hits, ...conditions }: CountedRule, index: number) => {
  const others = Object.entries(conditions).filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const shown = typeof effect === 'string' ? effect : JSON.stringify(effect);
  return html`<li class="rule"><code>${plainLine(on)} → ${plainLine(shown)}</code>
<span>${plainLine(others.join(' · '))}</span><span class="hits">${counted(hits, 'hit')}</span>
<button type="button" data-action="remove-fault" data-index="${String(index)}" aria-label="Remove rule ${
  String(index + 1)}">Remove</button></li>`;
};

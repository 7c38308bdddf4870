import { pageStyles } from '../../../page/styles.js';

export const inspectorStyles = `${pageStyles}
button, input, select, textarea { font: inherit; font-size: 0.875rem; color: var(--text); background: var(--surface);
  border: 1px solid var(--muted); border-radius: 6px; padding: 0.25rem 0.625rem; max-width: 100%; min-height: 2rem }
button { cursor: pointer; background: var(--raised) }
button:hover { border-color: var(--accent) }
form { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: end }
.controls:not([hidden]) { display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; align-items: center;
  margin-top: 0.5rem; font-size: 0.875rem }
.controls :is(label, form) { display: flex; gap: 0.5rem; align-items: center }
#clock { font-variant-numeric: tabular-nums }
#connection { color: var(--muted); font-size: 0.875rem }
nav button { border: 0; background: none; color: var(--accent); padding: 0.25rem 0; min-height: 0 }
nav button[aria-current] { color: var(--text); font-weight: 600; text-decoration: underline;
  text-underline-offset: 0.4em }
#sign-in:not([hidden]) { display: grid; gap: 0.75rem; justify-items: start; max-width: 42rem }
#view section:not(.scene) { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.75rem; margin-bottom: 1.5rem }
#view h3 { margin-top: 0.5rem }
.empty { color: var(--muted); font-size: 0.875rem }
.badge.missing { color: var(--error); font-weight: 600 }
.badge.unread { color: var(--warning); font-weight: 600 }
.requests { display: grid; gap: 0.25rem; list-style: none }
.request, .note, .rule, .delivery { background: var(--surface); border: 1px solid var(--line); border-radius: 8px;
  min-width: 0 }
summary { cursor: pointer }
.request > summary, .delivery > summary { display: flex; flex-wrap: wrap; gap: 0 0.75rem; padding: 0.375rem 0.75rem;
  font-size: 0.875rem; align-items: baseline }
:is(.request, .delivery) > summary:hover { background: var(--raised); border-radius: 7px }
.request > div, .delivery > div { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.625rem;
  padding: 0.5rem 0.75rem 0.75rem; border-top: 1px solid var(--line) }
.method, .code { font-weight: 600 }
.code { color: var(--added); font-variant-numeric: tabular-nums }
.code.failed { color: var(--error) }
.meta { color: var(--muted); font-size: 0.8125rem; font-variant-numeric: tabular-nums }
:is(summary, .note-head) > .meta { margin-left: auto }
[data-copied] { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: baseline; font-size: 0.875rem }
[data-copied] details { flex: 1 1 12rem; min-width: 0 }
pre.source { margin: 0; padding: 0.5rem 0.75rem; background: var(--raised); border-radius: 6px; white-space: pre-wrap;
  max-height: 24rem; overflow: auto; font: 0.8125rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
.headers { margin: 0; font: 0.8125rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
.headers dt, .headers dd { display: inline; margin: 0 }
.headers dt { color: var(--muted) }
.places { columns: 20rem; list-style: none; font-size: 0.875rem }
.places button, .crumb { border: 0; background: none; color: var(--accent); padding: 0.125rem 0; text-align: left;
  font-size: 0.875rem; min-height: 0 }
.thread { display: grid; gap: 0.375rem; margin: 0 0 1.25rem; min-width: 0; grid-template-columns: minmax(0, 1fr) }
.thread .note + .note { margin-left: clamp(0.5rem, 3vw, 1.5rem) }
.note { padding: 0.5rem 0.75rem }
.note.system { background: none; border-style: dashed; color: var(--muted); font-size: 0.875rem }
.note-head { display: flex; flex-wrap: wrap; gap: 0 0.5rem; font-size: 0.875rem; align-items: baseline }
.hunk { margin: 0 }
.hunk .added { background: var(--added-ground); color: var(--added) }
.hunk .removed { background: var(--removed-ground); color: var(--removed) }
.hunk span { display: block }
.tree ul, .tree { list-style: none; padding-left: 1rem; border-left: 1px solid var(--line) }
.tree { font-size: 0.875rem }
.tree li { padding: 0.125rem 0 }
.rules { display: grid; gap: 0.375rem; list-style: none }
.rule { display: flex; flex-wrap: wrap; gap: 0 0.75rem; padding: 0.375rem 0.75rem; align-items: baseline;
  font-size: 0.875rem }
.hits { margin-left: auto }
.wide { flex: 1 1 20rem; font-size: 0.875rem }
.wide input { width: 100%; display: block; margin-top: 0.25rem }
`;

export const inspectorIcon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16"
 rx="4" fill="#14532d"/><path d="M4 5h8M4 8h8M4 11h5" stroke="#fff" stroke-width="1.5" stroke-linecap="round"/></svg>`;

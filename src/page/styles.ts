/** The styles of the pages. Every color has a value for light and one for dark. */
export const pageStyles = `:root {
  color-scheme: light dark;
  --text: light-dark(#1d2129, #e4e7ec);
  --muted: light-dark(#565d6b, #a3abb8);
  --ground: light-dark(#f4f5f7, #15181d);
  --surface: light-dark(#ffffff, #1e2229);
  --raised: light-dark(#eceef2, #292e37);
  --line: light-dark(#d4d8e0, #3a414d);
  --accent: light-dark(#1f4fb4, #8fb4ff);
  --on-accent: light-dark(#ffffff, #10151f);
  --warning: light-dark(#7a4a00, #f0bf6c);
  --error: light-dark(#a11a1a, #ff9d96);
  --error-ground: light-dark(#fdeceb, #3a1d1f);
  --added: light-dark(#14532d, #a5e3b8);
  --added-ground: light-dark(#e4f6e9, #14301f);
  --removed: light-dark(#8a1616, #ffb4ae);
  --removed-ground: light-dark(#fdeceb, #3a1d1f);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
:root:has(#scheme-light:checked) { color-scheme: light }
:root:has(#scheme-dark:checked) { color-scheme: dark }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--text); overflow-wrap: anywhere }
h1, h2, h3, p, ul, figure, fieldset { margin: 0; padding: 0; border: 0 }
h1 { font-size: 1.125rem; letter-spacing: -0.01em }
h2 { font-size: 1.25rem; letter-spacing: -0.015em; line-height: 1.3; scroll-margin-top: 8rem }
h3 { font-size: 0.8125rem; font-weight: 600; color: var(--muted) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px }
main:focus { outline: none }
.visually-hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap }
.skip { position: absolute; left: 1rem; top: -4rem; z-index: 2; padding: 0.5rem 1rem; background: var(--accent);
  color: var(--on-accent); border-radius: 6px }
.skip:focus { top: 0.75rem }

.toolbar { position: sticky; top: 0; z-index: 1; padding: 0.75rem clamp(1rem, 4vw, 3rem); background: var(--surface);
  border-bottom: 1px solid var(--line) }
.heading-row { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; align-items: center }
.service, #status { color: var(--muted); font-size: 0.875rem }
#status { margin-left: auto }
.choice:not([hidden]) { display: flex }
.choice { background: var(--raised); border-radius: 8px; padding: 2px; font-size: 0.875rem }
.choice label { position: relative; cursor: pointer }
.choice input { position: absolute; opacity: 0; inset: 0; margin: 0; cursor: pointer }
.choice span { display: block; padding: 0.25rem 0.75rem; border-radius: 6px; color: var(--muted) }
.choice :checked + span { background: var(--surface); color: var(--text); box-shadow: 0 1px 2px #0003 }
.choice :focus-visible + span { outline: 3px solid var(--accent); outline-offset: 1px }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1.25rem; list-style: none; font-size: 0.875rem; margin-top: 0.375rem }
nav a { color: var(--accent); text-decoration: none; display: inline-block; padding: 0.125rem 0 }
nav a:hover { text-decoration: underline }

main { max-width: 92rem; margin: 0 auto; padding: 1.75rem clamp(1rem, 4vw, 3rem) 5rem }
section { margin-bottom: 2.75rem }
.summary, .values { display: grid; gap: 0.5rem }
.summary { margin-bottom: 1.25rem }
table { border-collapse: collapse; width: 100%; font-size: 0.9375rem }
.differences { margin: 0; background: var(--surface); border: 1px solid var(--line); border-radius: 10px;
  overflow: hidden }
.differences > div { padding: 0.625rem 1rem; border-top: 1px solid var(--line) }
.differences > div:first-child { border-top: 0 }
.differences dt, .differences dd { display: inline; margin: 0 }
.differences dt { font: 600 0.8125rem/1.75 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
.differences dd { font-size: 0.9375rem }
@media (max-width: 40rem) { .differences dt { display: block } }
.swatch { display: inline-block; width: 1rem; height: 1rem; margin-right: 0.375rem; vertical-align: -0.125rem;
  border: 1px solid var(--muted); border-radius: 4px }
.diff { margin: 0.375rem 0 0.25rem; white-space: normal;
  font: 0.8125rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
.diff > * { display: block; padding: 0 0.5rem 0 calc(2ch + 0.5rem); text-indent: -2ch; white-space: pre-wrap;
  text-decoration: none }
.diff ins { background: var(--added-ground); color: var(--added) }
.diff del { background: var(--removed-ground); color: var(--removed) }
.checks { list-style: none; display: grid; gap: 0.375rem }
.warning strong { color: var(--warning) }
.error strong { color: var(--error) }
.problem { background: var(--error-ground); border-left: 4px solid var(--error); border-radius: 4px;
  padding: 0.75rem 1rem; margin-bottom: 2rem }
.problem strong { color: var(--error) }
.approximate { padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 10px; color: var(--muted);
  font-size: 0.875rem }
.approximate h2 { display: inline; font-size: inherit; letter-spacing: 0; color: var(--text) }
.approximate h2::after { content: "." }
.approximate p { display: inline }
.absent { color: var(--muted); font-style: italic }

.scene-head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 0.75rem; margin-bottom: 0.75rem }
.badge { font-size: 0.8125rem; color: var(--muted) }
.badge.changed { color: var(--accent); font-weight: 600 }
.pair { display: grid; gap: 1.5rem; grid-template-columns: minmax(0, 1fr) }
@media (min-width: 60rem) {
  .pair:has(.after) { grid-template-columns: repeat(2, minmax(0, 1fr)) }
  .choice.sides { display: none }
}
/* Both states take the same place, so that switching moves nothing. */
@media (max-width: 59.99rem) {
  :root:has(.sides :checked) .pair > * { grid-area: 1 / 1 }
  :root:has(#side-before:checked) .pair > .after, :root:has(#side-after:checked) .pair > .before { visibility: hidden }
  h2 { scroll-margin-top: 12rem }
}
figure { display: grid; grid-template-rows: auto 1fr; gap: 0.375rem; min-width: 0 }
.window { container-type: inline-size; display: flex; flex-direction: column; background: var(--surface);
  border: 1px solid var(--line); border-radius: 10px; overflow: hidden; contain: paint; isolation: isolate;
  box-shadow: 0 1px 3px #0000001a }
.tabs { background: var(--raised); padding: 0.5rem 0.75rem 0 }
.tab { display: flex; align-items: center; gap: 0.5rem; max-width: 18rem; padding: 0.375rem 0.75rem;
  font-size: 0.8125rem; background: var(--surface); border-radius: 8px 8px 0 0 }
.tab-title { white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
.favicon { width: 16px; height: 16px; flex: none; object-fit: contain }
.bar { padding: 0.25rem 0.75rem; text-align: center; font-size: 0.875rem }
.bar-text { overflow: hidden; white-space: nowrap; text-overflow: ellipsis }
.bar-text * { display: inline; white-space: inherit }
.bar .link, .mail-message .link { text-decoration: underline }
.mail-message { padding: 0.75rem 1.5rem; text-align: center; font-size: 0.8125rem; color: var(--muted) }
.screen { flex: 1 }
.sign-in { display: grid; gap: 1.5rem; padding: 2rem 1.5rem }
.brand, .page { display: grid; gap: 0.75rem; align-content: start; justify-items: start }
.logo { max-width: min(100%, 16rem); max-height: 7rem; object-fit: contain }
.brand-title { font-size: 1.5rem; font-weight: 650; line-height: 1.25; letter-spacing: -0.02em }
.form { display: grid; align-self: start; gap: 0.5rem; padding: 1rem; border: 1px solid var(--line);
  border-radius: 8px }
@container (min-width: 34rem) { .sign-in { grid-template-columns: 3fr 2fr } }
.page { padding: 1.25rem 1.5rem 1.75rem }
.page-title { font-size: 1.125rem; font-weight: 600 }
.label { font-size: 0.8125rem; font-weight: 600 }
.field { display: block; width: min(100%, 22rem); height: 2rem; border: 1px solid var(--line); border-radius: 6px;
  background: var(--ground) }
.button { display: inline-block; padding: 0.3125rem 0.875rem; border-radius: 6px; font-size: 0.875rem; font-weight: 600;
  background: var(--accent); color: var(--on-accent); text-align: center }
.button.quiet { background: var(--raised); color: var(--text) }
.navigation { display: flex; align-items: center; gap: 0.75rem; padding: 0.375rem 0.75rem; min-height: 3rem;
  background: var(--raised); border-bottom: 1px solid var(--line) }
.header-logo { max-width: 10rem; max-height: 1.75rem; object-fit: contain }
.search { margin-left: auto; width: min(14rem, 40%); padding: 0.125rem 0.625rem; border: 1px solid var(--line);
  border-radius: 6px; background: var(--surface); color: var(--muted); font-size: 0.8125rem }
.avatar { flex: none; width: 5rem; height: 5rem; border-radius: 50%; background: var(--raised);
  border: 1px solid var(--line) }
.avatar.small { width: 1.75rem; height: 1.75rem; background: var(--surface) }
.public-avatar { display: flex; gap: 1rem; align-items: flex-start }
.public-avatar > div { display: grid; gap: 0.5rem; justify-items: start; min-width: 0 }
.mail-head { padding: 0.75rem 1.5rem; background: var(--raised); font-size: 0.875rem }
.mail-head p + p { color: var(--muted) }
.placeholder { display: inline-flex; align-items: center; padding: 0.25rem 0.625rem; border: 1px dashed var(--muted);
  border-radius: 6px; color: var(--muted); font-size: 0.8125rem }
.favicon.placeholder { padding: 0; border-radius: 3px; overflow: hidden }
.favicon .placeholder-text { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }

.prose { max-width: 42rem; min-width: 0; width: 100%; font-size: 0.9375rem }
.prose > * + *, .fold > div > * { margin-top: 0.625rem }
.prose ul, .prose ol { padding-left: 1.375rem; margin-bottom: 0 }
.prose .link { color: var(--accent); text-decoration: underline }
.prose .heading { font-weight: 650; line-height: 1.3 }
.prose .h1 { font-size: 1.3125rem }
.prose .h2 { font-size: 1.1875rem }
.prose .h3 { font-size: 1.0625rem }
.prose pre, code, kbd { font: 0.8125rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
.prose pre { white-space: pre-wrap; margin-bottom: 0 }
.prose pre, .prose code { background: var(--raised); border-radius: 4px }
.prose pre { padding: 0.5rem 0.75rem }
.prose code { padding: 0.0625rem 0.25rem }
.prose pre code { padding: 0; background: none }
.prose th, .prose td { border: 1px solid var(--line); padding: 0.25rem 0.5rem; text-align: left }
.fold summary { width: fit-content; padding: 0.125rem 0.625rem 0.125rem 0.5rem; border: 1px solid var(--line);
  border-radius: 6px; background: var(--raised); font-size: 0.8125rem; font-weight: 600; cursor: pointer }
.fold summary:hover { border-color: var(--muted) }
.prose hr { border: 0; border-top: 1px solid var(--line); width: 100% }
blockquote { margin: 0; padding-left: 0.75rem; border-left: 3px solid var(--line); color: var(--muted) }
.picture { padding: 0 0.375rem; border: 1px dashed var(--muted); border-radius: 4px; color: var(--muted);
  font-size: 0.875em }
@media (prefers-reduced-motion: no-preference) { :root { scroll-behavior: smooth } }
`;

import { html, type Html } from '../../../page/html.js';
import type { UrlOf } from '../../http/addresses.js';
import type { Operations } from '../operations.js';

const viewTitles = {
  requests: 'Requests', threads: 'Threads', epics: 'Epics', appearance: 'Appearance', faults: 'Faults',
  hooks: 'Webhooks',
} as const;
export type ViewName = keyof typeof viewTitles;

/** The page has no data: its script fetches it with the token that the address has after its `#`. */
export const inspectorPage = (): string => `<!doctype html>\n${html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Colloquy inspector</title>
<link rel="icon" href="inspector/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="inspector/page.css">
<script src="inspector/page.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="toolbar">
<div class="heading-row">
<h1>Colloquy inspector</h1>
<p id="connection" role="status">Not connected.</p>
<p id="status" role="status"></p>
</div>
<div class="controls" id="controls" hidden>
<label>World <select id="world"></select></label>
<button type="button" id="delete-world" hidden>Delete world</button>
<p>Clock: <output id="clock"></output></p>
<form id="advance"><label>Advance by
<input name="advance" size="6" placeholder="2h" required autocomplete="off"></label>
<button>Advance</button></form>
<button type="button" id="reset">Reset</button>
</div>
<nav aria-label="Views" id="views" hidden><ul>${Object.entries(viewTitles).map(([name, title]) =>
  html`<li><button type="button" data-view="${name}">${title}</button></li>`)}</ul></nav>
</header>
<main id="content" tabindex="-1">
<section id="sign-in">
<h2>Which server is this?</h2>
<p>The page needs the token of its server. <code>colloquy serve</code> prints the address with it on stderr; every start
has another one.</p>
<form id="token-form"><label>Token
<input name="token" type="password" required autocomplete="off" spellcheck="false"></label>
<button>Connect</button></form>
<noscript><p>The page also needs JavaScript.</p></noscript>
</section>
<div id="view"></div>
</main>
</body>
</html>`.markup}\n`;

/**
 * A part of the page; `styles` are its own, because the policy allows no style attributes.
 * @param at what to show of it, empty for an overview; untrusted
 */
export type View = (
  operations: Operations, at: string, urlOf: UrlOf,
) => Promise<{ readonly html: Html; readonly styles?: string }>;

export const time = (iso: string): string => iso.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');

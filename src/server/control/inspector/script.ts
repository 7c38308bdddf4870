/**
 * Takes the token out of the address, fetches the views with it, and sends what the forms ask for. Texts of users are
 * only in fragments, which the server escapes, and in `textContent`.
 */
export const inspectorScript = `'use strict';
const byId = (id) => document.getElementById(id);
const [view, status, connection, worlds] = ['view', 'status', 'connection', 'world'].map(byId);
const colors = new CSSStyleSheet();
document.adoptedStyleSheets = [colors];
const state = { token: '', world: '', name: 'requests', at: '', stream: null };
const say = (text) => { if (status.textContent !== text) status.textContent = text; };
const origin = location.origin + location.pathname.replace(/-\\/$/, '');

/** The world outside of /w/ has an empty name. */
const baseOf = (world) => (world === '' ? origin : origin + 'w/' + encodeURIComponent(world) + '/') + '-/';

class Refused extends Error {}

/** By default to the world that is shown. */
const send = async (method, path, { body, signal, world = state.world } = {}) => {
  const headers = { authorization: 'Bearer ' + state.token };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const response = await fetch(baseOf(world) + path, { method, headers, body: sent, signal, cache: 'no-store' });
  if (response.status === 401) throw new Refused('The token is not that of this server.');
  if (response.ok) return response;
  const text = await response.text();
  let message = text;
  try { message = JSON.parse(text).message || text; } catch {}
  throw new Error(String(message).slice(0, 500));
};

const signOut = (message) => {
  state.stream?.abort();
  state.token = '';
  sessionStorage.removeItem('token');
  view.replaceChildren();
  byId('sign-in').hidden = false;
  byId('controls').hidden = byId('views').hidden = true;
  connection.textContent = 'Not connected.';
  say(message);
};

const attempt = async (work) => {
  try {
    await work();
  } catch (error) {
    if (error instanceof Refused) signOut(error.message);
    else say(error instanceof TypeError ? 'The server does not respond.' : error.message);
  }
};

const parsed = (text) => new DOMParser().parseFromString(text, 'text/html').body.children;

/** Details that are open, and what is typed, stay. */
const show = ({ html, styles }) => {
  const opened = new Set(Array.from(view.querySelectorAll('details[open][data-id]'), (one) => one.dataset.id));
  const typed = new Map(Array.from(view.querySelectorAll('input[id]'), (one) => [one.id, one.value]));
  const focused = view.contains(document.activeElement) ? document.activeElement.id : '';
  view.replaceChildren(...parsed(html));
  colors.replaceSync(styles);
  for (const one of view.querySelectorAll('details[data-id]')) one.open = opened.has(one.dataset.id);
  for (const [id, value] of typed) if (byId(id)) byId(id).value = value;
  if (focused && byId(focused)) byId(focused).focus({ preventScroll: true });
  filterRows();
};

/** Each word must be in the row; \`*\` stands for any text of it. */
const filterRows = () => {
  const words = (byId('filter')?.value || '').toLowerCase().split(/\\s+/).filter(Boolean);
  const hasAll = (text) => words.every((word) => {
    let at = 0;
    return word.split('*').every((piece) => {
      const found = text.indexOf(piece, at);
      at = found + piece.length;
      return found >= 0;
    });
  });
  for (const row of view.querySelectorAll('.requests > li')) {
    row.hidden = !hasAll(row.querySelector('summary').textContent.toLowerCase());
  }
};

let latest = 0;
const load = async () => {
  const turn = ++latest;
  const path = 'inspector/' + state.name + (state.at ? '?at=' + encodeURIComponent(state.at) : '');
  const fragment = await (await send('GET', path)).json();
  if (turn === latest) show(fragment);
};

const choose = (name, at) => {
  state.name = name;
  state.at = at || '';
  sessionStorage.setItem('view', name);
  for (const one of document.querySelectorAll('nav [data-view]')) {
    if (one.dataset.view === name) one.setAttribute('aria-current', 'page');
    else one.removeAttribute('aria-current');
  }
  return attempt(load);
};

const worldNames = async () => (await send('GET', 'worlds', { world: '' })).json();

/** The first request to a world that was deleted would make it again. */
const isGone = (names) => state.world !== '' && !names.includes(state.world);

const loadToolbar = async () => {
  const names = await worldNames();
  if (isGone(names)) return changeWorld('');
  const { now, frozen } = await (await send('GET', 'clock')).json();
  byId('clock').textContent = now.replace('T', ' ').replace(/\\.\\d+Z$/, ' UTC') + (frozen ? ', frozen' : '');
  worlds.replaceChildren(...['', ...names].map((name) => new Option(name === '' ? 'of the server' : name, name)));
  worlds.value = state.world;
  byId('delete-world').hidden = state.world === '';
};

const changeWorld = (name) => {
  state.world = name;
  state.at = '';
  listen();
};

const addRows = (rows) => {
  const list = view.querySelector('.requests');
  if (state.name !== 'requests' || !list) return;
  const known = new Set(Array.from(list.querySelectorAll('[data-id]'), (one) => one.dataset.id));
  const isNew = (row) => !known.has(row.firstElementChild.dataset.id);
  list.prepend(...Array.from(parsed(rows)).filter(isNew).reverse());
  while (list.children.length > 200) list.lastElementChild.remove();
  view.querySelector('.empty')?.remove();
  filterRows();
};

/** A view of much data takes long: it is asked for less often. In milliseconds. */
let took = 15;
let refreshing = 0;
const refresh = () => {
  clearTimeout(refreshing);
  refreshing = setTimeout(() => attempt(async () => {
    const start = document.timeline.currentTime;
    await loadToolbar();
    if (state.name !== 'requests') await load();
    took = Math.max(15, document.timeline.currentTime - start);
  }), 10 * took);
};

const receive = (text) => {
  const [, event] = /^event: (.*)$/m.exec(text) || [];
  const [, data] = /^data: (.*)$/m.exec(text) || [];
  if (event === 'requests') addRows(JSON.parse(data));
  if (event === 'reset') attempt(load);
  if (event) refresh();
};

/** Reads events until the connection ends, then connects again. */
const listen = () => {
  state.stream?.abort();
  const own = state.stream = new AbortController();
  attempt(async () => {
    try {
      if (isGone(await worldNames())) return changeWorld('');
      const response = await send('GET', 'inspector/live', { signal: own.signal });
      byId('sign-in').hidden = true;
      byId('controls').hidden = byId('views').hidden = false;
      connection.textContent = 'Live.';
      await loadToolbar();
      await choose(state.name, state.at);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = '';
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        const parts = (rest + value).split('\\n\\n');
        rest = parts.pop();
        parts.forEach(receive);
      }
    } catch (error) {
      if (error instanceof Refused) throw error;
      if (own.signal.aborted) return;
    }
    if (own.signal.aborted) return;
    connection.textContent = 'The server does not respond; trying again.';
    setTimeout(() => { if (state.stream === own) listen(); }, 1000);
  });
};

const act = (message, work) => attempt(async () => {
  await work();
  say(message);
  await loadToolbar();
  await load();
});

const rulesNow = async () => {
  const { rules, seed } = await (await send('GET', 'faults')).json();
  return { seed, rules: rules.map(({ hits, ...rule }) => rule) };
};

const actions = {
  'redeliver': ({ id }) => act('Sent again.', () => send('POST', 'hooks/' + id + '/redeliver')),
  'clear-faults': () => act('No faults.', () => send('DELETE', 'faults')),
  'remove-fault': ({ index }) => act('Removed.', async () => {
    const given = await rulesNow();
    given.rules.splice(Number(index), 1);
    await send('PUT', 'faults', { body: given });
  }),
  'copy': async (_, button) => {
    const text = button.closest('[data-copied]').querySelector('.curl').textContent;
    await navigator.clipboard.writeText(text).then(() => say('Copied.'), () => say('The browser refuses to copy.'));
  },
};

document.addEventListener('click', ({ target }) => {
  const button = target.closest('button');
  if (!button) return;
  const { view: name, at, action, ...given } = button.dataset;
  if (name) choose(name, at);
  else if (action) actions[action](given, button);
});

document.addEventListener('submit', (event) => {
  event.preventDefault();
  const form = event.target;
  const given = Object.fromEntries(new FormData(form));
  const done = { 'token-form': () => signIn(given.token.trim()),
    'advance': () => act('The clock is frozen.', () => send('PUT', 'clock', { body: given })).then(() => form.reset()),
    'add-fault': () => act('Added.', async () => {
      const before = await rulesNow();
      await send('PUT', 'faults', { body: { ...before, rules: [...before.rules, given.rule] } });
      byId('rule').value = '';
    }) };
  done[form.id]();
});

view.addEventListener('input', ({ target }) => { if (target.id === 'filter') filterRows(); });

view.addEventListener('toggle', ({ target }) => {
  const place = target.open && target.querySelector(':scope > [data-load]');
  if (!place) return;
  attempt(async () => {
    const { html } = await (await send('GET', place.dataset.load)).json();
    place.removeAttribute('data-load');
    place.replaceChildren(...parsed(html));
  });
}, true);

byId('reset').addEventListener('click', () => act('Reset.', () => send('POST', 'reset')));
worlds.addEventListener('change', () => changeWorld(worlds.value));
byId('delete-world').addEventListener('click', () => attempt(async () => {
  const name = state.world;
  await send('DELETE', 'worlds/' + encodeURIComponent(name), { world: '' });
  say('Deleted ' + name + '.');
  changeWorld('');
}));

const signIn = (token) => {
  state.token = token;
  sessionStorage.setItem('token', token);
  say('');
  listen();
};

const given = location.hash.slice(1);
if (given && given !== 'content') history.replaceState(null, '', location.pathname);
state.name = sessionStorage.getItem('view') || 'requests';
const token = given && given !== 'content' ? given : sessionStorage.getItem('token');
if (token) signIn(token);
else signOut('');
`;

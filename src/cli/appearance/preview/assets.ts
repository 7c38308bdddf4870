/**
 * Asks whether the document has changed and replaces the content. Scroll position, focus, color
 * scheme and unfolded texts stay.
 */
export const script = `'use strict';
const interval = 700;
const content = document.getElementById('content');
const status = document.getElementById('status');
const say = (text) => { if (status.textContent !== text) status.textContent = text; };
const versionShown = () => content.firstElementChild.dataset.version;

const fetched = async (path) => {
  const response = await fetch(path, { cache: 'no-store' });
  if (!response.ok) throw new Error(path + ' ' + response.status);
  return response.text();
};

const placeOf = (fold) =>
  fold.closest('section').getAttribute('aria-labelledby') + ' ' + fold.closest('figure').className;

const update = async () => {
  const next = new DOMParser().parseFromString(await fetched('content'), 'text/html');
  const unfolded = Array.from(content.querySelectorAll('details[open]'), placeOf);
  const focused = content.contains(document.activeElement) && document.activeElement.closest('details');
  const place = focused && placeOf(focused);
  content.replaceChildren(...next.body.children);
  for (const fold of content.querySelectorAll('details')) {
    fold.open = unfolded.includes(placeOf(fold));
    if (placeOf(fold) === place) fold.firstElementChild.focus({ preventScroll: true });
  }
  document.getElementById('colors').href = 'colors.css?' + versionShown();
  say(content.querySelector('.problem') ? 'The document has an error.' : 'Updated.');
};

const check = async () => {
  try {
    const version = await fetched('version');
    if (version !== versionShown()) await update();
    else if (status.textContent.startsWith('The preview')) say('');
  } catch {
    say('The preview command has stopped, so this page is no longer updated.');
  }
  setTimeout(check, interval);
};

const keepChoice = (name, first) => {
  for (const input of document.querySelectorAll('input[name=' + name + ']')) {
    input.addEventListener('change', () => sessionStorage.setItem(name, input.value));
    if (input.value === (sessionStorage.getItem(name) || first)) input.checked = true;
  }
};
keepChoice('scheme', 'system');
keepChoice('side', 'after');
const sides = document.getElementById('sides');
if (sides) sides.hidden = false;
setTimeout(check, interval);
`;

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4"
 fill="#1f4fb4"/><path d="M4 5h8M4 8h8M4 11h5" stroke="#fff" stroke-width="1.5" stroke-linecap="round"/></svg>`;

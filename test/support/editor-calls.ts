import type { HttpRequest } from '../../src/wire/http.js';
import { testApp, type Ran, type WorldOptions } from './app.js';

/** The text of the note that a command line sent. */
export const sentBody = ({ sent }: Ran): string | undefined => {
  const request = sent.find(({ method }: HttpRequest) => method !== 'GET');
  return request && (JSON.parse(String(request.body)) as { body: string }).body;
};

/** Runs a command at a terminal and returns the text that its editor received, and the drafts that are left. */
export const shownBy = async (call: readonly string[], options: WorldOptions = {}) => {
  let shown = '';
  const world = await testApp({ terminal: true, edit: (page) => { shown = page; return `written\n${page}`; }, ...options });
  const ran = await world.run(...call);
  return { shown, ran, left: [...world.drafts.values()] };
};

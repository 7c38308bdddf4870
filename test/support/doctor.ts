import { expect } from 'vitest';
import type { HttpRequest, HttpResponse } from '../../src/wire/http.js';
import { ranIn, type WorldOptions } from './app.js';

interface Found { readonly check: string; readonly state: string; readonly message: string; readonly hint: string | null }

/** What `doctor` finds; the token of the developer is nowhere in its output. */
export const examined = async (options: WorldOptions = {}, ...flags: string[]) => {
  const { code, out, err, sent } = await ranIn(options, 'doctor', '--json', ...flags);
  const found = JSON.parse(out) as Found[];
  const secret = 'developer-token';
  expect([out, err].some((text) => text.includes(secret))).toBe(false);
  return { code, err, sent, found, of: (check: string) => found.find((one) => one.check === check) };
};

/** An app whose service responds to a path in this way. */
export const answering = (path: string, response: HttpResponse): WorldOptions => ({
  answer: ({ target }: HttpRequest) => target.startsWith(`/api/v4${path}`) ? response : undefined,
});

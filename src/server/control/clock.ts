import { textOf } from '../../wire/http.js';
import { parseJson } from '../../yaml/limits.js';
import { ClockError, type Clock } from '../clock.js';
import { badRequest, jsonResponse } from '../http/errors.js';
import { json } from '../http/json.js';
import type { ControlActions } from './actions.js';

/** @throws HttpError */
export const clockActions = (clock: Clock): ControlActions => ({
  'GET /-/clock': async () => jsonResponse(200, json(clock.state())),
  'PUT /-/clock': async ({ body }) => {
    try {
      clock.change(valueOf(textOf(body ?? '')));
    } catch (error) {
      if (error instanceof ClockError) throw badRequest(`${error.message}; ${error.hint}`);
      throw error;
    }
    return jsonResponse(200, json(clock.state()));
  },
});

/** Undefined for invalid JSON, which the clock rejects. */
const valueOf = (text: string): unknown => {
  if (!/^\s*"/.test(text)) return parseJson(text);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

import { textOf, type HttpResponse } from '../wire/http.js';

/** The body of an answer: parsed where it is JSON, else its text; empty text where there is none. */
export const bodyOf = (response: HttpResponse): unknown => {
  const text = textOf(response.body);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

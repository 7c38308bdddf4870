/** Of the test server. */
export const missingRouteHeader = 'x-colloquy-missing';

/** Null if the value is malformed. */
export const nearestRouteOf = (value: string): string | null =>
  /; nearest ([A-Z]{1,20} \/[\x21-\x7e]{1,200})$/.exec(value)?.[1] ?? null;

/** Null without the header or with a malformed one. */
export const nearestRouteIn = (headers: Readonly<Record<string, string>>): string | null =>
  nearestRouteOf(headers[missingRouteHeader] ?? '');

/** What every failed call can say of its request; the token and the query stay out of it. */
export interface FailedRequest {
  /** `METHOD /path`, without query, so that no secret given there is repeated. */
  readonly request: string;
}

/** The service answered and said no. */
export class ApiError extends Error implements FailedRequest {
  override readonly name = 'ApiError';
  constructor(
    readonly status: number,
    /** The service's own words, or a plain description of an answer that has none. */
    readonly words: string,
    readonly request: string,
    /** The answer's body: parsed JSON, or text where it is none. */
    readonly body: unknown,
    readonly headers: Readonly<Record<string, string>>,
  ) {
    super(`${request}: ${status} ${words}`);
  }
}

/** The service answered with something that is not its interface: broken JSON, an HTML page, a redirect elsewhere. */
export class AnswerError extends Error implements FailedRequest {
  override readonly name = 'AnswerError';
  constructor(message: string, readonly request: string, readonly status: number, options?: ErrorOptions) {
    super(`${request}: ${message}`, options);
  }
}

/** No answer came: refused, cut off, timed out, or not trusted. */
export class ConnectionError extends Error implements FailedRequest {
  override readonly name = 'ConnectionError';
  constructor(
    message: string,
    readonly request: string,
    /** The system's or library's code: `ECONNREFUSED`, `UND_ERR_HEADERS_TIMEOUT`, … */
    readonly code: string,
    /** Whether the request can have reached the service. */
    readonly sent: boolean,
    options?: ErrorOptions,
  ) {
    super(`${request}: ${message}`, options);
  }
}

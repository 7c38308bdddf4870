/** An event for an observer. No event contains a token, a query or a body. */
export type ClientEvent = {
  /** Method and path, as in `GET /api/v4/user`. */
  readonly request: string;
} & (
  | {
    /** A request is sent: one event for every attempt and every redirect. */
    readonly type: 'request';
  }
  | {
    /** A response arrived, whatever its status. */
    readonly type: 'response';
    /** The HTTP status of the response. */
    readonly status: number;
    /** Milliseconds since the request. */
    readonly ms: number;
    /** The request id of the service, for its logs; null if the response has none. */
    readonly id: string | null;
  }
  | {
    /** The request will be sent again. */
    readonly type: 'retry';
    /** The number of the next attempt, from 2. */
    readonly attempt: number;
    /** The largest number of attempts. */
    readonly attempts: number;
    /** Milliseconds until the next attempt. */
    readonly wait: number;
    /** What failed: `status 503`, or the code of a connection error. */
    readonly reason: string;
  }
  | {
    /** A page of a list arrived. */
    readonly type: 'page';
    /** The number of the page, from 1. */
    readonly page: number;
    /** The number of items on the page. */
    readonly items: number;
    /** The number of all items; null if the service does not report it. */
    readonly total: number | null;
  }
  | {
    /** A create got no usable response, and the client looks for the note. */
    readonly type: 'check';
    /** Milliseconds until the client looks. */
    readonly wait: number;
    /** What failed, as of a retry. */
    readonly reason: string;
  }
  | {
    /** A create returns a note that exists already. */
    readonly type: 'existing';
    /** The id of the existing note. */
    readonly note: number;
    /** What added the note: an earlier attempt to send it, or a call with the same key. */
    readonly by: 'attempt' | 'key';
    /** Whether the note has the text of the call. */
    readonly same: boolean;
  }
  | {
    /** The client deleted a second copy of a note. */
    readonly type: 'duplicate';
    /** The id of the deleted note. */
    readonly note: number;
    /** The id of the note that remains. */
    readonly kept: number;
  }
  | {
    /** A second copy of a note remains, because a person changed its text. */
    readonly type: 'changed';
    /** The id of the changed note. */
    readonly note: number;
    /** The id of the first copy. */
    readonly kept: number;
  }
);

/** Receives events; the call fails if it throws. */
export type Observer = (event: ClientEvent) => void;

import type { Socket } from 'node:net';

/** A request to the service that a connection leads to. Times are milliseconds. */
export interface Asked {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  /** The longest silence: until the answer begins, and between its pieces. */
  readonly timeout: number;
}

/** An answer as it came. */
export interface Arrived {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** A request on its way. */
export interface Sent {
  /**
   * The whole answer, once its connection is free for the next request; fails with what the network layer says, or with
   * the reason that `end` was given.
   */
  readonly arrived: Promise<Arrived>;
  readonly end: End;
}

/** Ends a request at once, wherever it stands; later than the answer it does nothing. */
export type End = (reason: Error) => void;

/** Sends requests over connections that it opens, keeps and gives to one request at a time. */
export type Send = (asked: Asked) => Sent;

/** Opens a connection to a service. @throws NeverSent */
export type Connect = () => Promise<Socket>;

/** How connections to an origin are made. */
export interface Way {
  /** Options for TLS. */
  readonly tls: object;
  /** Opens the connections in place of sockets to the origin itself. */
  readonly connect: Connect | null;
}

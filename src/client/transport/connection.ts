import type { Socket } from 'node:net';
import type { ProxySettings } from './proxy.js';

/** What the connection to a service is made of. */
export interface ConnectionSettings extends ProxySettings {
  /** Certificate authorities to trust in place of the built-in ones, PEM. */
  readonly ca?: string | Buffer | (string | Buffer)[] | undefined;
  /** The client's certificate, PEM. */
  readonly cert?: string | Buffer | undefined;
  /** The key of the client's certificate, PEM. */
  readonly key?: string | Buffer | undefined;
  /** The longest silence in milliseconds: until connected, until the answer begins, and between its pieces. */
  readonly timeout?: number | undefined;
}

/** Longest silence in milliseconds where the caller sets none. */
export const defaultTimeout = 60_000;

/** Longest wait for a connection in milliseconds; a host that is there answers in a fraction of it. */
export const connectTimeout = ({ timeout = 10_000 }: ConnectionSettings): number => Math.min(timeout, 10_000);

/** Whom a connection trusts. */
export const trusted = ({ ca }: ConnectionSettings) => ({ ...(ca !== undefined && { ca }) });

/** The same, and what it shows of itself. */
export const identified = ({ ca, cert, key }: ConnectionSettings) =>
  ({ ...trusted({ ca }), ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) });

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

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

/** Of a request that has begun. */
export type DispatchController = Parameters<Parameters<Dispatcher['dispatch']>[1]['onRequestStart']>[0];

/**
 * What the client uses of an undici dispatcher, such as an `Agent` or a `MockAgent`; those of undici 7 fit. The package
 * contains its own undici, and no types of it.
 */
export interface Dispatcher {
  /** Sends a request at once or later, and passes the parts of the response to the handler. */
  dispatch(
    request: {
      /** Scheme, host and port of the service. */
      readonly origin: string;
      /** Path and query. */
      readonly path: string;
      /** In upper case. */
      readonly method: string;
      /** By names in lower case. */
      readonly headers: Readonly<Record<string, string>>;
      /** Null for a request without a body. */
      readonly body: string | Uint8Array | null;
      /** Time until the response begins in milliseconds; 0 for no limit. */
      readonly headersTimeout: number;
      /** Time between the parts of the response in milliseconds; 0 for no limit. */
      readonly bodyTimeout: number;
    },
    handler: {
      /** The request has a connection; the controller can abort it. */
      onRequestStart(controller: {
        /** Ends the request; `onResponseError` receives the reason. */
        abort(reason: Error): void;
      }): void;
      /** Status and headers have arrived. */
      onResponseStart(
        controller: unknown, status: number, headers: Record<string, string | string[] | undefined>,
      ): void;
      /** A part of the body has arrived. */
      onResponseData(controller: unknown, chunk: Buffer): void;
      /** The response is complete. */
      onResponseEnd(): void;
      /** There is no response, or it is incomplete. */
      onResponseError(controller: unknown, error: Error): void;
    },
  ): boolean;
}

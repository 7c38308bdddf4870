/**
 * What the client uses of an undici dispatcher, such as an `Agent` or a `MockAgent`; those of undici 7 fit. The package
 * contains its own undici, and no types of it.
 */
export interface Dispatcher {
  dispatch(request: DispatchedRequest, handler: ResponseHandler): boolean;
}

interface DispatchedRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  /** In milliseconds; 0 for none. */
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
}

/** Of a request that has begun. */
export interface DispatchController {
  abort(reason: Error): void;
}

/** Receives the parts of a response. */
interface ResponseHandler {
  onRequestStart(controller: DispatchController): void;
  onResponseStart(
    controller: DispatchController, status: number, headers: Record<string, string | string[] | undefined>,
  ): void;
  onResponseData(controller: DispatchController, chunk: Buffer): void;
  onResponseEnd(): void;
  onResponseError(controller: DispatchController, error: Error): void;
}

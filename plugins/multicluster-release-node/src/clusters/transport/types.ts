/** One request as it goes over the wire, to whatever stands between us and the API server. */
export interface TransportRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** A watch: it lives long and must not take a place among the calls. */
  stream: boolean;
  /** How long nothing may come, before the headers and between two chunks. */
  silenceMilliseconds: number;
  signal: AbortSignal;
}

export interface TransportAnswer {
  status: number;
  headers: Record<string, string>;
  /** Must be read to its end or discarded. */
  body: AsyncIterable<Uint8Array>;
  discard(): void;
  /** After a 401: true when there are other credentials now than this request had, so that one more try makes sense. */
  renew(): Promise<boolean>;
}

/** Carries requests of one cluster. Throws what its lower layers throw. */
export interface Transport {
  send(request: TransportRequest): Promise<TransportAnswer>;
  close(): Promise<void>;
}

/** What proves to the API server who we are. */
export interface Credential {
  headers: Record<string, string>;
  /** PEM of a client certificate and its key. */
  certificate?: string;
  key?: string;
}

export interface CredentialSource {
  /** @throws CredentialError */
  current(): Promise<Credential>;
  /** Fetches it anew. @throws CredentialError */
  renew(): Promise<void>;
}

/** The credential cannot be had; the text holds nothing of it. */
export class CredentialError extends Error {}

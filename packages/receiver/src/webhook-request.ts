import type { FetchHeaders, HeaderRecord, HeaderSource } from './headers.ts'

/**
 * What a receiver takes: a Fetch `Request`, a Node `IncomingMessage`, or headers and the raw body.
 */
export type WebhookRequest = FetchRequest | NodeRequest | RawRequest

/** A Fetch `Request`, by its shape. */
export interface FetchRequest {
  readonly method: string
  readonly headers: FetchHeaders
  readonly body: FetchBody | null
  readonly bodyUsed: boolean
}

/** The body stream of a Fetch `Request`, by its shape. */
export interface FetchBody {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
    cancel(): Promise<void>
  }
}

/** A Node `IncomingMessage`, by its shape, with what frameworks put on it. */
export interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  readonly method?: string | undefined
  readonly headers: HeaderRecord
  /** Whether something has read from the stream before. */
  readonly readableDidRead: boolean
  /** Where Express and others leave the body once it is read. */
  readonly body?: unknown
  /** Where serverless platforms leave the raw body once it is read. */
  readonly rawBody?: unknown
}

/** A request that something else has read. `method` is POST if it is not given. */
export interface RawRequest {
  readonly method?: string
  readonly headers: HeaderSource
  readonly body: Uint8Array | ArrayBuffer | string
}

import type { FetchHeaders, HeaderRecord, HeaderSource } from './headers.ts'

/**
 * The request of a receiver: a Fetch `Request`, a Node `IncomingMessage`, or header fields and the
 * raw body.
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

/** A Node `IncomingMessage`, by its shape, with the fields that frameworks add. */
export interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  readonly method?: string | undefined
  readonly headers: HeaderRecord
  /** True if other code has read from the stream. */
  readonly readableDidRead: boolean
  /** The body that Express and others have read. */
  readonly body?: unknown
  /** The raw body that serverless platforms have read. */
  readonly rawBody?: unknown
}

/** A request that other code has read. Default method: POST. */
export interface RawRequest {
  readonly method?: string
  readonly headers: HeaderSource
  readonly body: Uint8Array | ArrayBuffer | string
}

import type { Collection } from '../../core/declaration/collection.ts'
import type { OpenApiOptions } from '../open-api.ts'

/** What a document is made of, beside the version it is of. */
export interface DescribedApi {
  readonly collections: readonly Collection[]
  readonly options: OpenApiOptions
}

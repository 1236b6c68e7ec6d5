import type { Collection } from '../../core/declaration/collection.ts'
import type { OpenApiOptions } from '../open-api.ts'

/** Inputs of a document, without the version. */
export interface DescribedApi {
  readonly collections: readonly Collection[]
  readonly options: OpenApiOptions
}

import packageJson from '../../package.json' with { type: 'json' }
import { alertFields } from '../collections/alerts.ts'
import { recordNames } from '../collections/messages.ts'
import type { Collection } from '../core/declaration/collection.ts'
import type { Version } from '../core/declaration/version.ts'
import type { CarrierType } from '../core/ports/carrier.ts'
import type { Documents } from '../http/pages/pages.ts'
import { builtInDocumentation } from '../openapi/built-in-documentation.ts'
import { documents } from '../openapi/documents.ts'
import type { OpenApiOptions } from '../openapi/open-api.ts'

type Choices = Omit<OpenApiOptions['notifications'], 'collection' | 'fields' | 'alertFields'>

/**
 * Builds the documents about the interface, for people and for tools. `choices` lists what
 * notification requests can ask for, `types` the types of carriers with their settings.
 */
export function wireDocuments(
  collections: readonly Collection[],
  declared: readonly Version[],
  choices: Choices,
  types: readonly CarrierType[],
): Documents {
  const options = {
    ...builtInDocumentation,
    release: packageJson.version,
    version: declared.at(-1)?.name ?? 'v1',
    carrierSettings: Object.fromEntries(types.map(({ type, settings }) => [type, settings])),
    notifications: {
      collection: 'messages',
      fields: recordNames,
      alertFields,
      ...choices,
    },
  }
  return documents({ collections, options }, declared)
}

import { qualifiedName } from '../core/declaration/collection.ts'
import type { Fields } from '../core/declaration/field.ts'
import type { Catalogue } from '../engine/catalogue.ts'
import type { Compiled } from '../engine/compiled.ts'
import { componentNames, type ComponentNames } from './component-names.ts'
import {
  type Components,
  type OpenApiDocument,
  type PathItem,
  reachable,
  type Schema,
} from './document.ts'
import { introduction, type LinkEnding } from './introduction.ts'
import { markdownText } from './schemas/field-schema.ts'
import { callbackPath, calledBack } from './paths/callback-path.ts'
import { emptyResponses, type Remarks } from './paths/collection-operations.ts'
import { collectionPaths } from './paths/collection-paths.ts'
import {
  alertSchema,
  alertWebhook,
  type NotificationOptions,
  notificationPath,
  notificationSchema,
  notificationTag,
  notificationWebhook,
} from './paths/notification-paths.ts'
import { problemResponses, problemSchema } from './paths/problem-responses.ts'
import { sharedHeaders } from './paths/shared-headers.ts'
import { sharedParameters } from './paths/shared-parameters.ts'
import { type CarrierSettings, withCarrierSettings } from './schemas/carrier-settings.ts'
import { collectionExamples, type GivenExamples } from './schemas/examples.ts'
import { collectionSchemas } from './schemas/collection-schemas.ts'
import { queryValueSchema } from './schemas/filters.ts'

/** Content of the document that no declaration contains. */
export interface OpenApiOptions {
  /** The release of the service, such as `0.1.0`. */
  readonly release: string
  /** The version of the interface that the declarations are of, such as `v1`. */
  readonly version: string
  /** The announced end of the version and its successor; null if none is announced. */
  readonly ending?: LinkEnding | null
  readonly notifications: NotificationOptions
  /** Fields that only responses to writes contain, by the qualified name of their collection. */
  readonly reveals: Readonly<Record<string, Fields>>
  /** Remarks on methods about the rules of their collection. */
  readonly remarks: Readonly<Record<string, Remarks>>
  readonly examples: GivenExamples
  /** The settings of carriers by type; absent: any object. */
  readonly carrierSettings?: CarrierSettings
}

/**
 * Builds the OpenAPI 3.1 document of the service, once per start. Throws an `Error` if the
 * catalogue lacks the collection of the notifications.
 */
export function openApi(catalogue: Catalogue, options: OpenApiOptions): OpenApiDocument {
  const { paths, schemas } = describeCollections(catalogue, options)
  const outside = {
    openapi: '3.1.1',
    info: {
      title: 'Nuncio',
      version: options.release,
      summary: 'A messaging API that a company runs itself.',
      description: introduction(options.version, options.ending ?? null),
      contact: { name: 'The operator of this installation' },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This installation' }],
    tags: tags(catalogue),
    security: [{ bearer: [] }, { basic: [] }, { session: [] }],
    paths: marked(
      {
        ...paths,
        [`/${options.version}/notifications`]: notificationPath(options.notifications),
        ...(catalogue.find(calledBack) === null
          ? {}
          : { [`/${options.version}/${calledBack}/{id}/callbacks/{name}`]: callbackPath() }),
      },
      options.ending ?? null,
    ),
    webhooks: { notifications: notificationWebhook(), alerts: alertWebhook() },
  }
  const shared: Components = {
    securitySchemes,
    parameters: sharedParameters,
    headers: sharedHeaders,
    responses: { ...emptyResponses, ...problemResponses() },
    schemas: {
      ...schemas,
      Notification: recordSchema(catalogue, options),
      Alert: alertSchema(options.notifications.alertFields),
      Problem: problemSchema,
      Ignored: ignoredSchema,
      QueryValue: queryValueSchema,
    },
  }
  return { ...outside, components: reachable(outside, shared) }
}

/** Marks every operation of an ending version as deprecated. */
function marked(
  paths: OpenApiDocument['paths'],
  ending: LinkEnding | null,
): OpenApiDocument['paths'] {
  if (ending === null) return paths
  const deprecated = (item: PathItem): PathItem =>
    Object.fromEntries(
      Object.entries(item).map(([name, value]) => [
        name,
        name !== 'parameters' ? { ...value, deprecated: true } : value,
      ]),
    )
  return Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, deprecated(item)]))
}

function describeCollections(
  catalogue: Catalogue,
  options: OpenApiOptions,
): {
  readonly paths: Readonly<Record<string, PathItem>>
  readonly schemas: Readonly<Record<string, Schema>>
} {
  const allNames = componentNames(catalogue)
  const described = catalogue.all
    .map((one) => asServed(one, catalogue))
    .flatMap((compiled) => {
      const qualified = qualifiedName(compiled.declared)
      const names = allNames.get(qualified)
      if (names === undefined) return []
      const reveals = options.reveals[qualified]
      const examples = collectionExamples(compiled, options.examples)
      const { version } = options
      const parent = catalogue.find(compiled.declared.parent ?? '')
      const plain = collectionSchemas({ compiled, parent, names, examples, reveals })
      const schemas = qualified === calledBack ? ofCarriers(plain, names, options) : plain
      const written = reveals === undefined ? names.single : `${names.single}Revealed`
      const remarks = options.remarks[qualified] ?? {}
      const paths = collectionPaths({ version, compiled, parent, names, written, remarks })
      return [{ paths, schemas }]
    })
  return {
    paths: Object.fromEntries(described.flatMap(({ paths }) => Object.entries(paths))),
    schemas: Object.fromEntries(described.flatMap(({ schemas }) => Object.entries(schemas))),
  }
}

/** Adds the settings of their types to the schemas of carriers. */
function ofCarriers(
  schemas: Readonly<Record<string, Schema>>,
  { single }: ComponentNames,
  { carrierSettings }: OpenApiOptions,
): Readonly<Record<string, Schema>> {
  const input = schemas[`${single}Input`]
  if (carrierSettings === undefined || input === undefined) return schemas
  return { ...schemas, [`${single}Input`]: withCarrierSettings(input, carrierSettings) }
}

function recordSchema(catalogue: Catalogue, options: OpenApiOptions): Schema {
  const { notifications, examples } = options
  const told = catalogue.find(notifications.collection)
  if (told === null) throw new Error(`There is no collection ${notifications.collection}.`)
  return notificationSchema(told, notifications, collectionExamples(told, examples))
}

function tags(catalogue: Catalogue): OpenApiDocument['tags'] {
  const collections = catalogue.all.map(({ declared }) => ({
    name: qualifiedName(declared),
    description: markdownText(declared.description),
  }))
  const description = 'Events of messages, to read or to receive.'
  return [...collections, { name: notificationTag, description }]
}

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The secret of a key: `nuncio_…`.' },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'The identifier of a key as user name, its secret as password.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'nuncio_session',
    description:
      'The cookie of a session, for pages of this service; over TLS it is `__Host-nuncio_session`.',
  },
} as const

const ignoredSchema: Schema = {
  description: 'The service sets it and ignores values from clients.',
  readOnly: true,
}

/** Describes members with the fields of their collection, under their own path. */
export function asServed(compiled: Compiled, catalogue: Catalogue): Compiled {
  const { members, declared } = compiled
  const of = members === null ? null : catalogue.find(qualifiedName(members))
  if (of === null) return compiled
  const { name, noun, parent, methods, description, membersOf } = declared
  const own = { name, noun, parent, methods, description, membersOf }
  return { ...of, members, declared: { ...of.declared, ...own } }
}

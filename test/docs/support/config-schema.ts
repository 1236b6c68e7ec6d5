import { carriers } from '../../../src/collections/carriers.ts'
import type { Setting } from '../../../src/config/setting.ts'
import { settings } from '../../../src/config/settings.ts'

/** The JSON schema of a configuration file, as far as settings and carrier types change it. */
interface ConfigSchema {
  readonly properties: Readonly<Record<string, object>>
  readonly $defs: { readonly carrier: { readonly properties: Readonly<Record<string, object>> } }
}

/** The properties that declare instances instead of settings. */
const declarations = ['collections', 'versions', 'carriers', 'oidc']

/** Returns the schema with the settings and the carrier types of today, in their order. */
export function withSettings<S extends ConfigSchema>(schema: S): S {
  const declared = declarations.map((name) => [name, schema.properties[name]] as const)
  const properties = {
    $schema: { type: 'string' },
    ...Object.fromEntries(Object.values<Setting>(settings).flatMap(property)),
    ...Object.fromEntries(declared),
  }
  const { carrier } = schema.$defs
  const type = { enum: carriers.fields.type.enum }
  const typed = { ...carrier, properties: { ...carrier.properties, type } }
  return { ...schema, properties, $defs: { ...schema.$defs, carrier: typed } }
}

function property({ key, parser }: Setting): readonly (readonly [string, object])[] {
  if (key === null) return []
  if (parser.choices !== undefined) return [[key, { enum: parser.choices }]]
  return [[key, parser.form === 'text' ? { type: 'string' } : { $ref: '#/$defs/setting' }]]
}

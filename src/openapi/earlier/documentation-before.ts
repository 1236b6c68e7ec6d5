import { qualifiedName, type Collection } from '../../core/declaration/collection.ts'
import type { JsonObject } from '../../core/json.ts'
import type { OpenApiOptions } from '../open-api.ts'
import type { GivenExample } from '../schemas/collection-examples.ts'
import type { FieldChange } from './fields-before.ts'

/** Returns the documentation in the words of the version before a change of a field. */
export function documentationBefore(
  options: OpenApiOptions,
  change: FieldChange,
  before: Collection,
): OpenApiOptions {
  const name = qualifiedName(before)
  const { examples, notifications } = options
  const given = examples[name]
  return {
    ...options,
    examples:
      given === undefined ? examples : { ...examples, [name]: exampleBefore(given, change) },
    notifications:
      notifications.collection === name
        ? { ...notifications, fields: namesBefore(notifications.fields, change, true) }
        : notifications,
  }
}

function exampleBefore({ instance, input }: GivenExample, change: FieldChange): GivenExample {
  return {
    instance: instanceBefore(instance, change),
    input: namesBefore(input, change, false),
  }
}

/**
 * Returns the field names of the earlier version. With `shown`, a field that was removed since is
 * the last one.
 */
function namesBefore(
  names: readonly string[],
  change: FieldChange,
  shown: boolean,
): readonly string[] {
  switch (change.kind) {
    case 'fieldRenamed':
      return names.map((name) => (name === change.to ? change.from : name))
    case 'fieldAdded':
      return names.filter((name) => name !== change.field)
    case 'fieldRemoved':
      return shown ? [...names, change.field] : names
    case 'fieldChanged':
      return names
  }
}

function instanceBefore(instance: JsonObject, change: FieldChange): JsonObject {
  switch (change.kind) {
    case 'fieldRenamed': {
      const { [change.to]: value, ...rest } = instance
      return value === undefined ? instance : { ...rest, [change.from]: value }
    }
    case 'fieldAdded': {
      const { [change.field]: _, ...rest } = instance
      return rest
    }
    case 'fieldRemoved':
      return { ...instance, [change.field]: change.value }
    case 'fieldChanged': {
      const value = instance[change.field]
      return value === undefined ? instance : { ...instance, [change.field]: change.down(value) }
    }
  }
}

import { reserved } from '../query/filter-parameters.ts'
import { shown, type WordCheck } from './word-checks.ts'

/** The length limit of names, which become columns, scopes and paths. */
const nameMax = 40

/**
 * The length limit of nouns. A generated identifier has the noun and 27 characters; 64 is its
 * limit.
 */
const nounMax = 37

/** Checks the name of a collection: the plural, in camelCase. */
export const collectionName: WordCheck = (value) => camelCase(value, nameMax, 'orderItems')

/** Checks the noun of a collection: the singular of its name. */
export const noun: WordCheck = (value) => camelCase(value, nounMax, 'orderItem')

/** Checks the name of a field inside an object. */
export const propertyName: WordCheck = (value) => {
  const wrong = camelCase(value, nameMax, 'unitPrice')
  if (wrong !== null || typeof value !== 'string') return wrong
  return value in Object.prototype ? 'is a name that every object has. Choose another.' : null
}

/** Checks the name of a field of a collection. */
export const fieldName: WordCheck = (value) => {
  const wrong = propertyName(value)
  if (wrong !== null || typeof value !== 'string') return wrong
  if (everywhere.includes(value)) return 'is a field that every instance has. Leave it out.'
  return reserved.includes(value)
    ? `is a parameter of every list (${reserved.join(', ')}). Choose another name.`
    : null
}

/** Fields that the service sets on every instance. */
const everywhere = ['id', 'createdAt', 'updatedAt']

/** Underscores end a field in the parameters of a list: `price_gte`, `price_desc`. */
function camelCase(value: unknown, max: number, example: string): string | null {
  const form = `a name in camelCase, letters and digits only, such as ${example}`
  if (typeof value !== 'string') return `must be ${form}, is ${shown(value)}.`
  if (!/^[a-z][A-Za-z0-9]*$/.test(value)) return `must be ${form}; ${shown(value)} is none.`
  return value.length <= max
    ? null
    : `has ${value.length} characters; ${max} are the most. Choose a shorter one.`
}

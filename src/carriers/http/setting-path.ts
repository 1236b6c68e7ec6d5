import { array, map, text } from '../../core/declaration/field.ts'

/** Where a value stands: a JSON Pointer (RFC 6901) in which `*` stands for every item of an array. */
export const place = { pattern: '^(/[^/]*)*$', maxLength: 200, form: 'a JSON Pointer' } as const

/** Values at places, as text: all that stand at a place must be among those listed. */
export const conditions = map(array(text({ maxLength: 200 }), { minItems: 1, maxItems: 200 }), {
  default: {},
  maxProperties: 10,
})

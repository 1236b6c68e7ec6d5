import { array, map, text } from '../../core/declaration/field.ts'

/** Path of a value: a JSON Pointer (RFC 6901) in which `*` matches every item of an array. */
export const place = { pattern: '^(/[^/]*)*$', maxLength: 200, form: 'a JSON Pointer' } as const

/** Allowed texts by path: all values at a path must be in its list. */
export const conditions = map(array(text({ maxLength: 200 }), { minItems: 1, maxItems: 200 }), {
  default: {},
  maxProperties: 10,
})

import { array, map, text } from '../../core/declaration/field.ts'

/** Path of a value: a JSON Pointer (RFC 6901) in which `*` matches every item of an array. */
export const place = { pattern: '^(/[^/]*)*$', maxLength: 200, form: 'a JSON Pointer' } as const

/** Path of an array below members only. */
export const memberPath = {
  pattern: '^(/[^/*]+)+$',
  maxLength: 200,
  form: 'a path of members such as /messages',
} as const

/**
 * Source of a value in an event: a path from the event; a number of levels to go up, then a path; or
 * `=` and a text with placeholders.
 */
export const source = {
  pattern: '^([0-9]{0,2}(/[^/]*)*|=.*)$',
  maxLength: 200,
  form: 'a JSON Pointer, one after a number of levels to go up such as 2/metadata/id, or = and a text',
} as const

/** Allowed texts by path: all values at a path must be in its list. */
export const conditions = map(array(text({ maxLength: 200 }), { minItems: 1, maxItems: 200 }), {
  default: {},
  maxProperties: 10,
})

/** A regular expression of RE2: its first group is the value. */
export const pattern = text({ nullable: true, minLength: 1, maxLength: 200 })

/** The text between several values in one text. */
export const separator = text({ nullable: true, minLength: 1, maxLength: 10 })

import type { Field, NumberField, TextField } from '../../core/declaration/field.ts'
import type { InputError } from '../../core/problem.ts'
import { compilePattern, UnsupportedPattern } from '../../core/pattern.ts'
import { fieldReader } from '../field-reader.ts'
import { single, type Kind } from './field-words.ts'
import { countFaults, type Note } from './word-checks.ts'

/**
 * Checks the words of a field in combination. Returns the field with a normalised default. It marks
 * a reference as indexed, since a deletion searches for referring instances.
 */
export function fieldRules(
  field: Field,
  path: string,
  place: FieldContext,
  note: Note,
): Field | null {
  const counted = countFaults(note)
  limitRules(field, path, counted.note)
  if (place.kind === 'item') itemRules(field, path, counted.note)
  else {
    indexRules(field, path, place, counted.note)
    if (field.writeOnly === true) writeOnlyRules(field, path, place, counted.note)
    else if (field.readOnly === true) readOnlyRules(field, path, place, counted.note)
    else valueRules(field, path, counted.note)
  }
  if (field.kind === 'reference') referenceRules(field, path, place, counted.note)
  if (counted.faults > 0) return null

  const complete = withDefault(field, path, note)
  const found = field.kind === 'reference' && place.kind !== 'item' && field.unique !== true
  return complete !== null && found ? { ...complete, indexed: true } : complete
}

/** Items of a list or a map take only a kind, its limits, and `nullable`. */
function itemRules(field: Field, path: string, note: Note): void {
  const words = ['required', 'default', 'readOnly', 'writeOnly', 'indexed', 'unique'] as const
  for (const word of words) {
    if (field[word] === undefined) continue
    note(`${path}.${word}`, 'says nothing of what a list or a map holds. Leave it out.')
  }
}

function indexRules(field: Field, path: string, { listed }: FieldContext, note: Note): void {
  for (const word of ['indexed', 'unique'] as const) {
    if (field[word] !== true) continue
    const at = `${path}.${word}`
    if (!single.includes(field.kind)) {
      note(at, `needs a single value, and this is an ${field.kind}. Leave it out.`)
    } else if (listed) note(at, 'cannot reach into a list or a map. Leave it out.')
  }
  if (field.unique === true && field.default !== undefined && field.default !== null) {
    note(
      `${path}.default`,
      'would be the value of two instances, and unique forbids that. Leave one out.',
    )
  }
}

function writeOnlyRules(field: Field, path: string, place: FieldContext, note: Note): void {
  if (place.kind === 'property') {
    note(
      `${path}.writeOnly`,
      'is said of a whole field. Take it out of the object, or hide all of it.',
    )
  }
  for (const word of ['readOnly', 'default', 'indexed', 'unique'] as const) {
    if (field[word] === undefined || field[word] === false) continue
    note(
      `${path}.${word}`,
      'does not go with writeOnly: nothing of it is ever shown. Leave one out.',
    )
  }
}

/** Refuses a read-only field that would always be null: a declaration has no code to set it. */
function readOnlyRules(field: Field, path: string, place: FieldContext, note: Note): void {
  if (place.kind === 'property') {
    note(`${path}.readOnly`, 'is said of a whole field. Leave it out.')
  } else if (field.required === true) {
    note(`${path}.required`, 'does not go with readOnly: no client could set it. Leave one out.')
  } else if (field.default === undefined || field.default === null) {
    note(
      `${path}.readOnly`,
      'means that it would always be null. Give it a default, or leave it out.',
    )
  }
}

function valueRules(field: Field, path: string, note: Note): void {
  if (field.required === true || field.nullable === true || field.default !== undefined) return
  note(
    path,
    'has no value where a client gives none. Add required: true, nullable: true or a default.',
  )
}

function referenceRules(
  field: Field & { readonly kind: 'reference' },
  path: string,
  { kind, refers }: FieldContext,
  note: Note,
): void {
  const { onDelete = 'restrict', nullable, required } = field
  if (!refers) {
    note(path, 'is at a place that deletions do not check. Take it out, or use a text field.')
  } else if (kind === 'item' && onDelete !== 'restrict') {
    note(`${path}.onDelete`, 'can only be "restrict" in a list. Leave it out.')
  } else if (onDelete === 'setNull' && nullable !== true) {
    note(`${path}.onDelete`, 'sets it to null, which it may not be. Add nullable: true.')
  } else if (onDelete === 'setNull' && required === true) {
    note(`${path}.onDelete`, 'sets a required field to null. Leave required out.')
  }
  if (field.default !== undefined && field.default !== null) {
    note(`${path}.default`, 'names an instance that need not exist. Leave it out.')
  }
}

/** Checks a default by its own field, and stores it in its served form. */
function withDefault(field: Field, path: string, note: Note): Field | null {
  if (field.default === undefined) return field
  const errors: InputError[] = []
  const value = fieldReader(field)(field.default, '', errors)
  for (const error of errors) {
    const inside = 'pointer' in error ? error.pointer : ''
    note(`${path}.default${inside.replaceAll('/', '.')}`, `${error.detail}. Change it.`)
  }
  return errors.length > 0 ? null : { ...field, default: value }
}

/** Checks that the limits of a field leave something, and that none of them costs too much to check. */
function limitRules(field: Field, path: string, note: Note): void {
  switch (field.kind) {
    case 'text':
      inOrder('minLength', field.minLength, 'maxLength', field.maxLength, path, note)
      patternRules(field, path, note)
      break
    case 'integer':
    case 'number':
      inOrder('minimum', field.minimum, 'maximum', field.maximum, path, note)
      if (field.kind === 'integer') wholeRules(field, path, note)
      break
    case 'array':
      inOrder('minItems', field.minItems, 'maxItems', field.maxItems, path, note)
      if (field.uniqueItems === true && (field.maxItems ?? Infinity) > uniqueItemsMax) {
        note(
          `${path}.uniqueItems`,
          `needs maxItems, at most ${uniqueItemsMax}: each is compared with all.`,
        )
      }
  }
}

/** Comparing each with all others takes half a million steps. */
const uniqueItemsMax = 1000

/** Five million steps of a match take 0.15 s at worst, during which all other requests wait. */
const patternStepsMax = 5_000_000

function inOrder(
  lower: string,
  least: number | undefined,
  upper: string,
  most: number | undefined,
  path: string,
  note: Note,
): void {
  if (least === undefined || most === undefined || least <= most) return
  note(
    `${path}.${lower}`,
    `is ${least}, above ${upper}, which is ${most}. Lower it, or raise ${upper}.`,
  )
}

/** Notes a range without a whole number, which would refuse every value. */
function wholeRules(
  { minimum = -Infinity, maximum = Infinity }: NumberField,
  path: string,
  note: Note,
) {
  if (minimum > maximum || Math.ceil(minimum) <= Math.floor(maximum)) return
  note(`${path}.minimum`, `leaves no whole number up to maximum, which is ${maximum}. Lower it.`)
}

function patternRules({ pattern, form, maxLength }: TextField, path: string, note: Note): void {
  if (pattern === undefined) {
    if (form !== undefined) note(`${path}.form`, 'says what a pattern asks for. Add the pattern.')
    return
  }
  const at = `${path}.pattern`
  const steps = stepsPerCharacter(pattern, at, note)
  if (steps === null) return
  if (maxLength === undefined) return note(at, 'needs maxLength: it is checked against every text.')

  const longest = Math.floor(patternStepsMax / steps)
  if (maxLength <= longest) return
  note(
    at,
    `can take ${steps} steps for each character. Lower maxLength to ${longest}, or simplify it.`,
  )
}

function stepsPerCharacter(pattern: string, at: string, note: Note): number | null {
  try {
    return compilePattern(pattern).stepsPerCharacter
  } catch (error) {
    if (!(error instanceof UnsupportedPattern)) throw error
    note(at, error.message)
    return null
  }
}

/** The position of a field: in a collection, in an object, or as the item of a list or a map. */
export interface FieldContext {
  readonly kind: 'field' | 'property' | 'item'
  /** True inside a list or a map, whose items no filter or index can name. */
  readonly listed: boolean
  /**
   * True if a reference is allowed here, so that a deletion can find the instances that refer to
   * another.
   */
  readonly refers: boolean
  readonly depth: number
}

/** A field of a collection. */
export const topLevel: FieldContext = { kind: 'field', listed: false, refers: true, depth: 0 }

/** Returns the context of the fields inside a field of this kind. */
export function below({ listed, refers, depth }: FieldContext, kind: Kind): FieldContext {
  if (kind === 'object') {
    return { kind: 'property', listed, refers: refers && !listed, depth: depth + 1 }
  }
  return { kind: 'item', listed: true, refers: kind === 'array' && !listed, depth: depth + 1 }
}

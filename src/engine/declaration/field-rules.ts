import type { Field } from '../../core/declaration/field.ts'
import type { InputError } from '../../core/problem.ts'
import { fieldReader } from '../field-reader.ts'
import { single } from './field-words.ts'
import { limitRules } from './limit-rules.ts'
import type { FieldContext } from './field-context.ts'
import type { Note } from './word-checks.ts'

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
  let faults = 0
  const counting: Note = (at, detail) => {
    faults += 1
    note(at, detail)
  }
  limitRules(field, path, counting)
  if (place.kind === 'item') itemRules(field, path, counting)
  else {
    indexRules(field, path, place, counting)
    if (field.writeOnly === true) writeOnlyRules(field, path, place, counting)
    else if (field.readOnly === true) readOnlyRules(field, path, place, counting)
    else valueRules(field, path, counting)
  }
  if (field.kind === 'reference') referenceRules(field, path, place, counting)
  if (faults > 0) return null

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

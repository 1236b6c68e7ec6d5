import type { Field, NumberField, TextField } from '../../core/declaration/field.ts'
import { compilePattern, UnsupportedPattern } from '../../core/pattern.ts'
import type { Note } from './word-checks.ts'

/** Checks that the limits of a field leave something, and that none of them costs too much to check. */
export function limitRules(field: Field, path: string, note: Note): void {
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

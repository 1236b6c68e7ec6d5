import type { FieldDescription } from '../../api/field.ts'
import { numberText } from '../../ui/numbers.ts'

/** Returns what a form says about a field: its declaration's text in the words of a form, and its limits. */
export function fieldHint(field: FieldDescription): string {
  return [formText(field), limitsOf(field)].filter((text) => text !== '').join(' ')
}

/** A default without content, which a form does not mention. */
const emptyDefault = /\s*Default: `(?:|""|null|\[\]|\{\})`\.?/g

/** What null means, up to the end of its part of the sentence. */
const meaningOfNull =
  /(?:^|[;,.]?\s+)`?null`?(?: in a PATCH)?(?::| means| is)\s+(.+?)(?:[;.](?=\s|$)|$)/gi

/** Meanings of null that continue "Leave empty for". */
const noun = /^(all|any|every|no|those)\b/

/** Returns a field as the form of an existing instance describes it: what is not shown stays if nothing is entered. */
export function keptIfEmpty(field: FieldDescription): FieldDescription {
  if (!field.writeOnly) return field
  const text = field.description.replaceAll(meaningOfNull, '.')
  return { ...field, description: `${text} Leave empty: it stays unchanged.` }
}

/** A declaration's text is for programs, which send null. People leave an input empty. */
function formText({ description, nullable }: FieldDescription): string {
  return description
    .replaceAll(emptyDefault, '')
    .replaceAll(meaningOfNull, (_, meaning: string) => {
      if (!nullable) return `. An empty value: ${meaning}.`
      return `. Leave empty${noun.test(meaning) ? ' for' : ':'} ${meaning}.`
    })
    .replaceAll(/\bif absent\b/gi, 'if empty')
    .replaceAll(/`?\bnull\b`?/g, 'an empty field')
    .replaceAll(/^[\s.]+|\.(?=\.)/g, '')
    .trim()
}

/** Writes the limits of a field as people read them. */
function limitsOf({ schema, kind }: FieldDescription): string {
  const { minimum, maximum, maxLength, maxItems } = schema
  if (minimum !== undefined && maximum !== undefined) {
    return `${numberText(minimum)} to ${numberText(maximum)}.`
  }
  if (kind === 'list' && maxItems !== undefined) return `At most ${numberText(maxItems)}.`
  return kind === 'text' && maxLength !== undefined && maxLength <= 1000
    ? `At most ${numberText(maxLength)} characters.`
    : ''
}

import type { ProcessContext } from './process-context.ts'

/**
 * Escapes the control characters of an untrusted text, which could command a terminal, and those that
 * change the direction of writing, which could make it show another text.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

// Importing it would load all of its exports (docs/decisions/0016).
const { styleText } = process.getBuiltinModule('node:util')

/** Colours by meaning. Without colours each returns the text unchanged. */
export interface Paint {
  good(text: string): string
  bad(text: string): string
  /** Less important text. */
  faint(text: string): string
}

/**
 * Returns the colours for standard output: only on a terminal, and not if NO_COLOR (no-color.org)
 * has a value.
 */
export function paint({ out, environment }: Pick<ProcessContext, 'out' | 'environment'>): Paint {
  const plain =
    !out.terminal || (environment['NO_COLOR'] ?? '') !== '' || environment['TERM'] === 'dumb'
  const dye =
    (style: 'green' | 'red' | 'dim') =>
    (text: string): string =>
      plain ? text : styleText(style, text, { validateStream: false })
  return { good: dye('green'), bad: dye('red'), faint: dye('dim') }
}

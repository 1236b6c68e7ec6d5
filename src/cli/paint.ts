import type { ProcessContext } from './process-context.ts'

// Not imported, which would load all that it exports (docs/decisions/0016).
const { styleText } = process.getBuiltinModule('node:util')

/** Colours by what they say. Without colours each returns the text as it is. */
export interface Paint {
  good(text: string): string
  bad(text: string): string
  /** Of lesser importance. */
  faint(text: string): string
}

/** Colours for standard output: on a terminal, unless NO_COLOR (no-color.org) has a value. */
export function paint({ out, environment }: Pick<ProcessContext, 'out' | 'environment'>): Paint {
  const plain =
    !out.terminal || (environment['NO_COLOR'] ?? '') !== '' || environment['TERM'] === 'dumb'
  const dye =
    (style: 'green' | 'red' | 'dim') =>
    (text: string): string =>
      plain ? text : styleText(style, text, { validateStream: false })
  return { good: dye('green'), bad: dye('red'), faint: dye('dim') }
}

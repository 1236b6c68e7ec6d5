/** A source text, separated into code and comments. */
export interface SourceText {
  /** The lines of code: without blank lines and lines of comment alone. */
  readonly code: readonly string[]
  /** The comments without their marks, each with the line (from 1) on which it starts. */
  readonly comments: readonly Comment[]
}

/** A comment; consecutive lines of `//` are one. */
export interface Comment {
  readonly line: number
  readonly text: string
  /** True for `/** … *\/`. */
  readonly isDoc: boolean
}

/**
 * Separates TypeScript into code and comments by its lines. Prettier puts each comment on lines of its
 * own or at the end of a line, so a parser is not needed.
 */
export function separate(text: string): SourceText {
  const code: string[] = []
  const comments: { line: number; text: string; isDoc: boolean }[] = []
  let isOpen = false
  let continues = false
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    const last = comments.at(-1)
    if (isOpen && last !== undefined) {
      last.text += ` ${withoutMarks(line)}`
      isOpen = !line.includes('*/')
    } else if (line.startsWith('/*')) {
      const isDoc = line.startsWith('/**')
      comments.push({ line: index + 1, text: withoutMarks(line), isDoc })
      isOpen = !line.includes('*/')
      continues = false
    } else if (line.startsWith('//')) {
      if (continues && last !== undefined) last.text += ` ${withoutMarks(line)}`
      else comments.push({ line: index + 1, text: withoutMarks(line), isDoc: false })
      continues = true
    } else {
      continues = false
      if (line !== '') code.push(raw)
    }
  }
  return { code, comments }
}

function withoutMarks(line: string): string {
  return line
    .replace(/^\/\*+|^\*(?!\/)|^\/\//, '')
    .replace(/\*\/$/, '')
    .trim()
}

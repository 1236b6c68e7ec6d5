/** What the comment above a fenced block asks of the tests. */
export type Instruction =
  /** Its commands run in a terminal of their own and stay; or, without commands, what that one prints next. */
  | { readonly kind: 'TERMINAL'; readonly name: string }
  /** It is the content of a file in the reader's folder. */
  | { readonly kind: 'FILE'; readonly name: string }
  /** It cannot be run here, for this reason. */
  | { readonly kind: 'NOT_RUN'; readonly reason: string }

/** A fenced block of a page. */
export interface Block {
  /** The line of its opening fence, from 1. */
  readonly line: number
  /** The word behind the opening fence; empty where there is none. */
  readonly language: string
  readonly text: string
  readonly instruction: Instruction | null
}

/** A command and what the page shows of its output; null where it shows nothing. */
export interface Command {
  readonly script: string
  readonly shown: string | null
}

const fence = /^```(\S*)$/
const comment = /^<!-- (terminal|file|not run): (.+) -->$/

/** The fenced blocks of a page in Markdown. Throws for one that is not closed. */
export function blocksOf(page: string): readonly Block[] {
  const blocks: Block[] = []
  const lines = page.split('\n')
  for (let index = 0; index < lines.length; index += 1) {
    const language = fence.exec(lines[index] ?? '')?.[1]
    if (language === undefined) continue
    const end = lines.indexOf('```', index + 1)
    if (end === -1) throw new Error(`the block in line ${index + 1} has no end`)
    const text = lines.slice(index + 1, end).join('\n')
    const instruction = instructionIn(lines[index - 1] ?? '')
    blocks.push({ line: index + 1, language, text, instruction })
    index = end
  }
  return blocks
}

function instructionIn(line: string): Instruction | null {
  const [, word, value = ''] = comment.exec(line) ?? []
  switch (word) {
    case 'terminal':
      return { kind: 'TERMINAL', name: value }
    case 'file':
      return { kind: 'FILE', name: value }
    case 'not run':
      return { kind: 'NOT_RUN', reason: value }
    default:
      return null
  }
}

/**
 * The commands of a transcript: lines that begin with `$ `, each with the lines `> ` that continue it
 * and what it prints. What stands before the first command belongs to none and is refused.
 */
export function commandsOf(transcript: string): readonly Command[] {
  const commands: { script: string[]; shown: string[] }[] = []
  for (const line of transcript.split('\n')) {
    const last = commands.at(-1)
    if (line.startsWith('$ ')) commands.push({ script: [line.slice(2)], shown: [] })
    else if (last === undefined) throw new Error('a transcript begins with "$ " and a command')
    else if (line.startsWith('> ') && last.shown.length === 0) last.script.push(line.slice(2))
    else last.shown.push(line)
  }
  return commands.map(({ script, shown }) => ({
    script: script.join('\n'),
    shown: shown.join('\n'),
  }))
}

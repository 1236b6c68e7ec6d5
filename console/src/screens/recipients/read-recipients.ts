import papaparse from 'papaparse'
import type { ContactLimits } from './contact-limits.ts'
import { contentOf, limitFault } from './recipient-content.ts'

/** A line of a list that can get a message. */
export interface Recipient {
  readonly line: number
  readonly address: string
  readonly name: string | null
  readonly tags: readonly string[]
  readonly attributes: Readonly<Record<string, string>>
}

/** A line that cannot, and why. */
export interface LineFault {
  readonly line: number
  readonly text: string
  readonly fault: string
}

/** A list of recipients as it was read. */
export interface RecipientList {
  readonly recipients: readonly Recipient[]
  readonly faults: readonly LineFault[]
}

/** Titles of the column that holds the telephone number. */
const addressTitle = /^(address|phone|telephone|mobile|msisdn|number|to|recipient)$/i

/** Reads recipients from CSV, with or without titles, or from one number on each line. */
export function readRecipients(text: string, limits: ContactLimits = {}): RecipientList {
  const [first, ...others] = linesOf(text)
  if (first === undefined) return { recipients: [], faults: [] }
  const titled = first.cells.findIndex((title) => addressTitle.test(title.trim()))
  const titles = titled === -1 ? [] : first.cells.map((title) => title.trim())
  const column = Math.max(0, titled)
  const recipients: Recipient[] = []
  const faults: LineFault[] = []
  const lines = new Map<string, number>()
  for (const { line, cells } of titled === -1 ? [first, ...others] : others) {
    const address = addressOf(cells[column] ?? '')
    const content = contentOf(titles, cells, column)
    const before = lines.get(address ?? '')
    const fault =
      address === null
        ? 'has no telephone number in international form'
        : before === undefined
          ? limitFault(content, limits)
          : `has the number of line ${before}`
    if (address === null || fault !== null) {
      faults.push({ line, text: cells.join(', '), fault: fault ?? '' })
      continue
    }
    lines.set(address, line)
    recipients.push({ line, address, ...content })
  }
  return { recipients, faults }
}

interface Line {
  readonly line: number
  readonly cells: readonly string[]
}

/** Splits a text into its filled lines. A quoted cell can contain line ends. */
function linesOf(text: string): readonly Line[] {
  const { data } = papaparse.parse<string[]>(text)
  let line = 1
  return data.flatMap((cells): readonly Line[] => {
    const begin = line
    line += 1 + cells.join('').split('\n').length - 1
    return cells.every((cell) => cell.trim() === '') ? [] : [{ line: begin, cells }]
  })
}

const international = /^\+?[1-9]\d{6,14}$/
const shortCode = /^[1-9]\d{2,7}$/

/** Returns a number as the service stores it; null if it is none. */
function addressOf(cell: string): string | null {
  const digits = cell.replaceAll(/[\s()./-]/g, '').replace(/^00/, '+')
  if (shortCode.test(digits)) return digits
  return international.test(digits) ? `+${digits.replace('+', '')}` : null
}

import papaparse from 'papaparse'

/** A line of a list that can get a message. */
export interface Recipient {
  readonly address: string
  readonly name: string | null
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
const addressForm = /^(\+?[1-9]\d{6,14}|[1-9]\d{2,7})$/

/** Reads recipients from CSV, with or without titles, or from one number on each line. */
export function readRecipients(text: string): RecipientList {
  const { data } = papaparse.parse<string[]>(text.trim(), { skipEmptyLines: 'greedy' })
  const first = data[0] ?? []
  const titled = first.findIndex((title) => addressTitle.test(title.trim()))
  const titles = titled === -1 ? [] : first.map((title) => title.trim())
  const column = Math.max(0, titled)
  const recipients: Recipient[] = []
  const faults: LineFault[] = []
  const lines = new Map<string, number>()
  data.slice(titled === -1 ? 0 : 1).forEach((cells, index) => {
    const line = index + (titled === -1 ? 1 : 2)
    const address = (cells[column] ?? '').replaceAll(/[\s()./-]/g, '').replace(/^00/, '+')
    const before = lines.get(address)
    const fault = addressForm.test(address)
      ? before === undefined
        ? null
        : `has the number of line ${before}`
      : 'has no telephone number in international form'
    if (fault !== null) return faults.push({ line, text: cells.join(', '), fault })
    lines.set(address, line)
    return recipients.push({ address, ...valuesOf(titles, cells, column) })
  })
  return { recipients, faults }
}

function valuesOf(
  titles: readonly string[],
  cells: readonly string[],
  column: number,
): Pick<Recipient, 'name' | 'attributes'> {
  const values = titles.flatMap((title, index) => {
    const value = cells[index]?.trim() ?? ''
    return index === column || value === '' ? [] : [[title, value] as const]
  })
  const name = values.find(([title]) => title.toLowerCase() === 'name')?.[1] ?? null
  return {
    name,
    attributes: Object.fromEntries(values.filter(([title]) => title.toLowerCase() !== 'name')),
  }
}

/** Returns the text of a broadcast for one recipient. */
export function previewText(body: string, recipient: Recipient): string {
  return body.replaceAll(/\{\{\s*([\w.]+)(?:\|([^}]*))?\s*\}\}/g, (whole, path, fallback) => {
    const name = String(path)
    const value =
      name === 'address'
        ? recipient.address
        : name === 'name'
          ? recipient.name
          : recipient.attributes[name.replace(/^attributes\./, '')]
    return value ?? (fallback === undefined ? whole : String(fallback))
  })
}

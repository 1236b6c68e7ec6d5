import type { ContactLimits } from './contact-limits.ts'
import type { Recipient } from './read-recipients.ts'

type Content = Pick<Recipient, 'name' | 'tags' | 'attributes'>

/** Fields of an exported contact that the service sets. */
const ignored = new Set(['id', 'createdAt', 'updatedAt'])

/** Reads the cells next to a number: the name, the tags, and every other column as an attribute. */
export function contentOf(
  titles: readonly string[],
  cells: readonly string[],
  addressColumn: number,
): Content {
  const values = titles.flatMap((title, index) => {
    const value = cells[index]?.trim() ?? ''
    const isRead = index !== addressColumn && value !== '' && !ignored.has(title)
    return isRead ? [[title, value] as const] : []
  })
  const valueOf = (wanted: string): string | null =>
    values.find(([title]) => title.toLowerCase() === wanted)?.[1] ?? null
  const others = values.filter(
    ([title]) => !['name', 'tags', 'attributes'].includes(title.toLowerCase()),
  )
  return {
    name: valueOf('name'),
    tags: tagsIn(valueOf('tags') ?? ''),
    attributes: { ...attributesIn(valueOf('attributes') ?? '{}'), ...Object.fromEntries(others) },
  }
}

/** Returns what the service would refuse; null if nothing. */
export function limitFault(
  { name, tags, attributes }: Content,
  { nameMax = Infinity, tagMax = Infinity, attributeMax = Infinity }: ContactLimits,
): string | null {
  if ((name ?? '').length > nameMax) return `has a name of more than ${nameMax} characters`
  if (tags.some((tag) => tag.length > tagMax)) return `has a tag of more than ${tagMax} characters`
  const long = Object.entries(attributes).find(([, value]) => value.length > attributeMax)
  return long === undefined ? null : `has more than ${attributeMax} characters in ${long[0]}`
}

/** Tags are words between separators, or the JSON of an export. */
function tagsIn(text: string): readonly string[] {
  const read = text.startsWith('[') ? jsonIn(text) : text.split(/[,;|]/)
  return Array.isArray(read)
    ? read.map((tag) => String(tag).trim()).filter((tag) => tag !== '')
    : []
}

function attributesIn(text: string): Readonly<Record<string, string>> {
  const read = jsonIn(text)
  if (typeof read !== 'object' || read === null) return {}
  return Object.fromEntries(Object.entries(read).map(([name, value]) => [name, String(value)]))
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

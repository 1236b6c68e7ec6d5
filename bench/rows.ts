import type { JsonObject } from '../src/core/json.ts'

/** The identifier of a row: as time-ordered as a real one, and as long. */
export function idOf(index: number): string {
  return `message_${String(Math.floor(index)).padStart(26, '0')}`
}

/** A message such as a service sends, the same at each run: of `rows`, the one that was made so many before it. */
export function aMessage(index: number, rows: number): JsonObject {
  const id = idOf(index)
  const date = new Date(Date.UTC(2026, 0, 1) + index * 100).toISOString()
  const type = statusOf(index)
  const number = String((index * 7_919_317) % 100_000_000).padStart(8, '0')
  return {
    id,
    type: 'SENT',
    from: 'Nuncio',
    to: `+49151${index % 2 === 0 ? number : number.replace(/^..../, '0000')}`,
    body: bodyOf(index, rows),
    encoding: 'TEXT',
    protocolId: 0,
    messageClass: 1,
    numberOfParts: 1,
    creditCost: 1,
    submission: { id: `submission_${index}`, date },
    status: { id: `${type}.null`, type },
    relatedSentMessageId: null,
    userSuppliedId: index % 2 === 0 ? null : `order-${(index * 31) % rows}`,
    scheduledAt: null,
    validUntil: null,
    carrier: 'carrier_simulator',
    history: [
      { status: 'ACCEPTED.null', date },
      { status: 'SENT.null', date },
      { status: `${type}.null`, date },
    ],
    createdAt: date,
    updatedAt: date,
  }
}

/** A contact. */
export function aContact(index: number): JsonObject {
  const date = new Date(Date.UTC(2026, 0, 1) + index * 100).toISOString()
  return {
    id: idOf(index),
    name: `Customer ${index}`,
    address: `+49151${String(index).padStart(8, '0')}`,
    tags: [],
    attributes: {},
    createdAt: date,
    updatedAt: date,
  }
}

function statusOf(index: number): string {
  if (index % 50_000 === 17) return 'CANCELLED'
  if (index % 50 === 3) return 'FAILED'
  return index % 100 === 7 ? 'SENT' : 'DELIVERED'
}

const vocabulary = Array.from({ length: 4000 }, (_, index) => wordOf(index))

/** Some twelve words, the frequent ones far more frequent, and a code that no other message has. */
function bodyOf(index: number, rows: number): string {
  const picked = Array.from({ length: 6 + (index % 7) }, (_, place) => {
    const at = (index * 2_654_435_761 + place * 40_503_001) % 1_000_003
    return vocabulary[Math.floor((at / 1_000_003) ** 2 * vocabulary.length)]
  })
  const extra = [
    ...(index % 3 === 0 ? ['Your parcel arrives today.'] : []),
    ...(index % 311 === 0 ? ['umbrella'] : []),
    ...(index < rows / 50 ? ['Christmas'] : []),
    ...(index % 50_000 === 11 ? ['🚀 猫が来る'] : []),
  ]
  return [...extra, ...picked, `code${index}`].join(' ')
}

/** A word of two to nine letters. */
function wordOf(index: number): string {
  const letters = 'etaoinshrdlumpw'
  let left = index * 2_654_435_761 + 1
  let word = ''
  for (let length = 2 + (index % 8); length > 0; length -= 1) {
    word += letters[left % letters.length]
    left = Math.floor(left / 7) + index
  }
  return word
}

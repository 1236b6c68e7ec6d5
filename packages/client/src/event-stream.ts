/** One event of a stream: what it says, and its place. */
export interface StreamEvent {
  /** Empty where the event has only moved the place. */
  readonly data: string
  /** Where to go on behind this event. */
  readonly id: string
}

/** Reads events from pieces of text, cut anywhere. Throws RangeError for an event without end. */
export type EventReader = (piece: string) => readonly StreamEvent[]

/** A record has at most 40,000 characters of body, each at most 6 in JSON: nothing longer is one. */
const eventCharsMax = 1_048_576

/** Makes a reader of an event stream (WHATWG HTML section 9.2.6) that goes on from a place. */
export function eventReader(lastEventId: string): EventReader {
  const linesOf = lineReader()
  let id = lastEventId
  let data: string[] = []
  let chars = 0

  const take = (line: string): StreamEvent | null => {
    if (line === '') {
      const event = { data: data.join('\n'), id }
      data = []
      chars = 0
      return event
    }
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === 'data') data.push(value)
    if (name === 'id' && !value.includes('\0')) id = value
    return null
  }

  return (piece) => {
    chars += piece.length
    const events = linesOf(piece)
      .map(take)
      .filter((event) => event !== null)
    if (chars > eventCharsMax) {
      throw new RangeError(`An event of the stream has more than ${eventCharsMax} characters.`)
    }
    return events
  }
}

/** Cuts text into lines, which end in CR, LF or both, also where a piece ends between the two. */
function lineReader(): (piece: string) => readonly string[] {
  let rest = ''
  let endedInReturn = false
  return (piece) => {
    if (piece === '') return []
    const fresh = endedInReturn && piece.startsWith('\n') ? piece.slice(1) : piece
    endedInReturn = piece.endsWith('\r')
    const lines = (rest + fresh).split(/\r\n|\n|\r/)
    rest = lines.pop() ?? ''
    return lines
  }
}

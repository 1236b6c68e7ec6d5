/** One event of a stream: its data, and its position. */
export interface StreamEvent {
  /** Empty for an event that only moves the position, or has another type than `message`. */
  readonly data: string
  /** The last event ID: the position to resume after. */
  readonly id: string
}

/** A reader of one connection's event stream. */
export interface EventReader {
  /** Returns the events that the next piece of text completes. Throws RangeError for an event without end. */
  read(piece: string): readonly StreamEvent[]
  /** The delay before another connection that the stream asks for; null if it asks for none. */
  readonly retryMs: number | null
}

/** A record has a body of at most 40,000 characters, each at most 6 in JSON: no record is longer. */
const eventCharsMax = 1_048_576

/** Makes a reader of an event stream (WHATWG HTML section 9.2.6) that resumes after an event ID. */
export function eventReader(lastEventId: string): EventReader {
  const linesOf = lineReader()
  let id = lastEventId
  let type = ''
  let data: string[] = []
  let chars = 0
  let retryMs: number | null = null

  const take = (line: string): StreamEvent | null => {
    if (line === '') {
      const isMessage = type === '' || type === 'message'
      const event = { data: isMessage ? data.join('\n') : '', id }
      type = ''
      data = []
      chars = 0
      return event
    }
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === 'event') type = value
    if (name === 'data') data.push(value)
    if (name === 'id' && !value.includes('\0')) id = value
    if (name === 'retry' && /^\d{1,9}$/.test(value)) retryMs = Number(value)
    return null
  }

  return {
    read: (piece) => {
      chars += piece.length
      const events = linesOf(piece)
        .map(take)
        .filter((event) => event !== null)
      if (chars > eventCharsMax) {
        throw new RangeError(`An event of the stream has more than ${eventCharsMax} characters.`)
      }
      return events
    },
    get retryMs() {
      return retryMs
    },
  }
}

/** Cuts text into lines, which end in CR, LF or both, even if a piece ends between the two. */
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

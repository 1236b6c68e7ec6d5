/** One event of a stream. */
export interface StreamEvent {
  /** `message` where the stream names no other. */
  readonly type: string
  readonly data: string
  /** The place of the event in the stream; empty where none was given yet. */
  readonly id: string
}

/** Reads an event stream (HTML standard, section 9.2.6 "Interpreting an event stream"). */
export interface EventStreamParser {
  /** Takes the next piece of the stream, cut anywhere, and returns the events that it completes. */
  push(text: string): readonly StreamEvent[]
  /** The last event ID: where to resume. An event without data moves it too. */
  readonly lastEventId: string
  /** The delay before reconnecting that the stream asked for, in milliseconds, or null. */
  readonly retryMs: number | null
}

/** A record has a body of at most 40,000 characters, each at most 6 in JSON: nothing longer is one. */
const eventCharsMax = 1_048_576

/**
 * Makes a parser for one connection that resumes behind `lastEventId`. What is incomplete when the
 * connection ends is never returned, as the standard demands. `push` throws RangeError for an event
 * without end.
 */
export function eventStreamParser(lastEventId = ''): EventStreamParser {
  const lines = lineReader()
  let fields: EventFields = { type: '', data: [], id: lastEventId }
  let id = lastEventId
  let retryMs: number | null = null

  const dispatch = (): readonly StreamEvent[] => {
    const { type, data } = fields
    id = fields.id
    fields = { type: '', data: [], id }
    return data.length === 0 ? [] : [{ type: type || 'message', data: data.join('\n'), id }]
  }

  const take = (name: string, value: string): void => {
    if (name === 'event') fields.type = value
    if (name === 'data') fields.data.push(value)
    if (name === 'id' && !value.includes('\0')) fields.id = value
    if (name === 'retry' && /^\d{1,9}$/.test(value)) retryMs = Number(value)
  }

  const takeLine = (line: string): readonly StreamEvent[] => {
    if (line === '') return dispatch()
    take(...nameAndValue(line))
    return []
  }

  return {
    push: (text) => {
      const events = lines.push(text).flatMap(takeLine)
      const chars = fields.data.reduce((sum, line) => sum + line.length, lines.pendingChars)
      if (chars <= eventCharsMax) return events
      throw new RangeError(`An event of the stream is longer than ${eventCharsMax} characters.`)
    },
    get lastEventId() {
      return id
    },
    get retryMs() {
      return retryMs
    },
  }
}

/** What is known of an event whose end is still to come. */
interface EventFields {
  type: string
  readonly data: string[]
  id: string
}

/** Cuts text into lines that end in CR, LF or both, over the borders of pieces. */
function lineReader() {
  let pending = ''
  let afterCarriageReturn = false
  return {
    push: (text: string): readonly string[] => {
      if (text === '') return []
      // A line feed here ends the line that the carriage return before it has ended already.
      const fresh = afterCarriageReturn && text.startsWith('\n') ? text.slice(1) : text
      afterCarriageReturn = text.endsWith('\r')

      const lines = (pending + fresh).split(/\r\n|\n|\r/)
      pending = lines.pop() ?? ''
      return lines
    },
    get pendingChars() {
      return pending.length
    },
  }
}

/**
 * A line without a colon is a field without value; one space behind the colon is no part of the
 * value. A comment has an empty name.
 */
function nameAndValue(line: string): [name: string, value: string] {
  const colon = line.indexOf(':')
  if (colon === -1) return [line, '']
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')]
}

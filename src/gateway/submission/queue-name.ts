/** What waits in one lane goes by one carrier, or waits for one. */
export interface QueueName {
  /** Null where no carrier serves the recipient yet. */
  readonly carrier: string | null
  /** It was asked for by name: no other carrier will do. */
  readonly pinned: boolean
  /** The sender, where it has a rate of its own. */
  readonly sender: string | null
}

/** A lane as one text. No identifier of a carrier has a `!` or a space in it. */
export function laneText({ carrier, pinned, sender }: QueueName): string {
  return `${carrier ?? ''}${pinned ? '!' : ''}${sender === null ? '' : ` ${sender}`}`
}

/** Reads the text of a lane. */
export function readLane(text: string): QueueName {
  const space = text.indexOf(' ')
  const first = space === -1 ? text : text.slice(0, space)
  const pinned = first.endsWith('!')
  const carrier = pinned ? first.slice(0, -1) : first
  return {
    carrier: carrier === '' ? null : carrier,
    pinned,
    sender: space === -1 ? null : text.slice(space + 1),
  }
}

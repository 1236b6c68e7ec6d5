/** What a keyword asks for: no more messages, or messages again. */
export type Wish = 'STOP' | 'START'

const wishes: ReadonlyMap<string, Wish> = new Map([
  ['STOP', 'STOP'],
  ['STOPALL', 'STOP'],
  ['UNSUBSCRIBE', 'STOP'],
  ['CANCEL', 'STOP'],
  ['END', 'STOP'],
  ['QUIT', 'STOP'],
  ['REVOKE', 'STOP'],
  ['OPTOUT', 'STOP'],
  ['START', 'START'],
  ['UNSTOP', 'START'],
  ['YES', 'START'],
])

/** The wish of a text that is a keyword and nothing else, in any case; else null. */
export function wishOf(body: string): Wish | null {
  const word = body.trim()
  // Letters of other alphabets have capitals among ours: only our own are turned into capitals.
  return /^[A-Za-z]+$/.test(word) ? (wishes.get(word.toUpperCase()) ?? null) : null
}

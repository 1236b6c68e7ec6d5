import { Client } from 'pg'

/** A statement as it was sent. */
export interface Use {
  readonly text: string
  readonly values: readonly unknown[]
}

/** What was sent to any PostgreSQL while it was recorded. */
export interface Recorded extends Disposable {
  /** The texts of statements that read or write rows, each once. */
  texts(): readonly string[]
  /** The same, each with the parameters of its last use. */
  uses(): readonly Use[]
}

/** Records what every connection of this process sends, until it is disposed of. */
export function recordStatements(): Recorded {
  const sent = new Map<string, Use>()
  const original = Client.prototype.query
  function recorded(this: Client, ...asked: readonly unknown[]): unknown {
    const [config, given] = asked
    const text = typeof config === 'string' ? config : Object(config).text
    if (typeof text === 'string') {
      const shown = text.trim().replace(/^\/\*.*?\*\/\s*/, '')
      sent.set(shown, {
        text: shown,
        values: Object(config).values ?? (Array.isArray(given) ? given : []),
      })
    }
    return Reflect.apply(original, this, asked)
  }
  Object.assign(Client.prototype, { query: recorded })
  const uses = (): readonly Use[] =>
    [...sent.values()].filter(({ text }) => /^(select|insert|update|delete|with)\b/i.test(text))
  return {
    uses,
    texts: () => uses().map(({ text }) => text),
    [Symbol.dispose]: () => {
      Object.assign(Client.prototype, { query: original })
    },
  }
}

import { Client } from 'pg'

/** What was sent to any PostgreSQL while it was recorded. */
export interface Recorded extends Disposable {
  /** The texts of statements that read or write rows, each once. */
  texts(): readonly string[]
}

/** Records what every connection of this process sends, until it is disposed of. */
export function recordStatements(): Recorded {
  const texts = new Set<string>()
  const original = Client.prototype.query
  function recorded(this: Client, ...asked: readonly unknown[]): unknown {
    const [config] = asked
    const text = typeof config === 'string' ? config : Object(config).text
    if (typeof text === 'string') texts.add(text.trim().replace(/^\/\*.*?\*\/\s*/, ''))
    return Reflect.apply(original, this, asked)
  }
  Object.assign(Client.prototype, { query: recorded })
  return {
    texts: () => [...texts].filter((text) => /^(select|insert|update|delete|with)\b/i.test(text)),
    [Symbol.dispose]: () => {
      Object.assign(Client.prototype, { query: original })
    },
  }
}

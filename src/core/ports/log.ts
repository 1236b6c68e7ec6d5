/** How much an entry matters; the setting `log` names the least that is written. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'

/** Where the service says what it does, for its operator. Never secrets, never message bodies. */
export type Log = (
  level: LogLevel,
  event: string,
  fields?: Readonly<Record<string, unknown>>,
) => void

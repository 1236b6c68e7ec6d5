/** Severity of an entry; the setting `log` names the lowest one that is written. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'

/** Log for the operator. It never contains secrets or message bodies. */
export type Log = (
  level: LogLevel,
  event: string,
  fields?: Readonly<Record<string, unknown>>,
) => void

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The environment of this process, as it is now. Nothing else reads it. */
export function readEnvironment(): Environment {
  return { ...process.env }
}

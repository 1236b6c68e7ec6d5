/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the environment of this process. Nothing else reads `process.env`. */
export function readEnvironment(): Environment {
  return { ...process.env }
}

import { createPrivateKey, type KeyObject } from 'node:crypto'

/** Reads a private key from PEM; `\n` in one line counts as a line break. Null if it is malformed. */
export function privateKey(text: string): KeyObject | null {
  try {
    return createPrivateKey(withLines(text))
  } catch {
    return null
  }
}

/** Reads a written-out `\n` as a line break: a variable often has one line. */
export function withLines(text: string): string {
  return text.replaceAll(String.raw`\n`, '\n')
}

import type { ProcessContext } from './process-context.ts'

/** Asks on the terminal of this process. The question goes to standard error. */
export const ask: ProcessContext['ask'] = async (question, { hidden }) => {
  const { stdin, stderr } = process
  if (!stdin.isTTY || !stderr.isTTY) return null
  // Loaded on first use (docs/decisions/0016).
  const { createInterface } = await import('node:readline')
  const { Writable } = await import('node:stream')
  // With a terminal, the interface echoes what is typed to its output.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: hidden ? silent : stderr, terminal: true })
  stderr.write(hidden ? question : '')
  try {
    return await new Promise<string | null>((resolve) => {
      lines.once('close', () => resolve(null))
      lines.question(hidden ? '' : question, resolve)
    })
  } finally {
    lines.close()
    if (hidden) stderr.write('\n')
  }
}

import type { ProcessContext } from './process-context.ts'

/**
 * Asks on the terminal of this process. The question goes to standard error. Ctrl-C and Ctrl-D end
 * the process: a terminal that is read line by line sends no signal for them.
 */
export const ask: ProcessContext['ask'] = async (question, { hidden }) => {
  const { stdin, stderr } = process
  if (!stdin.isTTY || !stderr.isTTY) return null
  // Loaded on first use (docs/decisions/0016).
  const { createInterface } = await import('node:readline')
  const { Writable } = await import('node:stream')
  // With a terminal, the interface echoes the input to its output.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: hidden ? silent : stderr, terminal: true })
  stderr.write(hidden ? question : '')
  try {
    const answer = await new Promise<string | null>((resolve) => {
      lines.once('close', () => resolve(null))
      lines.question(hidden ? '' : question, resolve)
    })
    if (hidden || answer === null) stderr.write('\n')
    return answer ?? endBySignal()
  } finally {
    lines.close()
  }
}

/** Ends like a process without a listener for SIGINT: a shell then knows that its user stopped it. */
function endBySignal(): Promise<never> {
  process.removeAllListeners('SIGINT')
  process.kill(process.pid, 'SIGINT')
  // The signal may arrive a little later: until then nothing goes on.
  return new Promise(() => {})
}

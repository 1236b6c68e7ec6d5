import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import type { Tally } from './message-centre.ts'

/** A message centre in a process of its own. */
export interface MessageCentre {
  readonly port: number
  tally(): Promise<Tally>
}

/** Starts one that answers after `delayMs`. It ends with the test. */
export async function startMessageCentre(t: TestContext, delayMs = 0): Promise<MessageCentre> {
  const program = new URL('./message-centre.ts', import.meta.url).pathname
  const child = fork(program, [String(delayMs)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  t.after(() => child.disconnect())
  const [{ port }] = await once(child, 'message')
  return {
    port,
    tally: async () => {
      const answer = once(child, 'message')
      child.send('?')
      const [tally] = await answer
      return tally
    },
  }
}

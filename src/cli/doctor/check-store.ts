import type { Config } from '../../config/config.ts'
import { storeFaultText } from '../commands/start-error.ts'
import type { ProcessContext } from '../process-context.ts'
import { ok, problem, skipped, warning, type Finding } from './finding.ts'

/** As for the nodes of a shared store. */
const skewMsMax = 1_000

/** Below this, a few days of messages can fill the disk. */
const freeBytesMin = 1024 ** 3

/** Looks at the store of the configuration, which a service may be using, without changing it. */
export async function checkStore(
  { store }: Config,
  { lookAtStore }: Pick<ProcessContext, 'lookAtStore'>,
): Promise<readonly Finding[]> {
  if (store.kind === 'memory') {
    return [warning('store', 'It is in memory, and ends with the process.', 'Set NUNCIO_STORE.')]
  }
  try {
    const { name, exists, freeBytes, aheadMs } = await lookAtStore(store)
    if (!exists)
      return [skipped('store', `${name} does not exist yet: the first start creates it.`)]
    return [
      ok('store', `${name} can be read and written.`),
      ...(freeBytes === null ? [] : spaceFindings(freeBytes)),
      ...(aheadMs === null ? [] : [clockFinding(aheadMs)]),
    ]
  } catch (error) {
    const text = storeFaultText(error, store) ?? String(error)
    const [detail = '', ...remedy] = text.split('\n')
    return [problem('store', asSentence(detail), remedy.join(' ') || 'Check NUNCIO_STORE.')]
  }
}

function spaceFindings(freeBytes: number): readonly Finding[] {
  if (freeBytes >= freeBytesMin) return []
  const mebibytes = Math.floor(freeBytes / 1024 ** 2)
  const detail = `The disk has ${mebibytes} MiB of free space.`
  return [problem('store', detail, 'Make room, or shorten NUNCIO_MESSAGE_RETENTION_DAYS.')]
}

function clockFinding(aheadMs: number): Finding {
  const seconds = (Math.abs(aheadMs) / 1_000).toFixed(1)
  if (Math.abs(aheadMs) <= skewMsMax)
    return ok('clocks', `The database's clock differs by ${seconds} s.`)
  const side = aheadMs > 0 ? 'ahead of' : 'behind'
  return problem(
    'clocks',
    `This machine's clock is ${seconds} s ${side} the database's.`,
    'Synchronize both by NTP.',
  )
}

function asSentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(whole) ? whole : `${whole}.`
}

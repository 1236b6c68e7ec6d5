import { durationText } from '../../ui/numbers.ts'

/** The flow of a carrier, as the service measures it. */
interface Flow {
  readonly inFlight: number
  /** Parts sent per second within the last five seconds. */
  readonly partsPerSecond: number
}

/**
 * Writes how long the carrier takes for a part: those in flight, divided by those per second. A provider that takes
 * longer than the measured seconds answers all the same, so that no rate means only that the answers are awaited.
 */
export function responseTimeText({ inFlight, partsPerSecond }: Flow): string {
  if (inFlight === 0) return '–'
  return partsPerSecond === 0
    ? 'awaited'
    : `about ${durationText((inFlight / partsPerSecond) * 1000)}`
}

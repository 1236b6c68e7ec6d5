import { microsPerCredit } from '../../core/ports/credits.ts'

/** A sum of credits without what adding doubles leaves behind: credits are exact to six decimals. */
export function exactCredits(credits: number): number {
  return Math.round(credits * microsPerCredit) / microsPerCredit
}

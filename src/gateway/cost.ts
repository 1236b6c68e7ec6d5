/** What a part of a message costs, in credits: one each, whatever its destination. */
const creditsPerPart = 1

/** What it costs to send a message of so many parts, in credits. */
export function costOf(numberOfParts: number): number {
  return numberOfParts * creditsPerPart
}

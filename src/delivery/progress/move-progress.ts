import type { LogPosition } from '../../core/ports/notification-log.ts'
import { progressText, readProgress } from './progress.ts'

/** The text of a progress with each place in the log as `move` says. `parse` reads those that it has. */
export async function moveProgress(
  text: string,
  parse: (text: string) => LogPosition | null,
  move: (position: LogPosition) => Promise<LogPosition>,
): Promise<string> {
  const found = new Map<string, LogPosition>()
  readProgress(text, (place) => {
    const position = parse(place)
    if (position !== null) found.set(place, position)
    return position
  })
  const moved = new Map<string, LogPosition>()
  for (const [place, position] of found) moved.set(place, await move(position))
  return progressText(readProgress(text, (place) => moved.get(place) ?? null))
}

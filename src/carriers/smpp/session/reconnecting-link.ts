import type { Clock } from '../../../core/ports/clock.ts'
import type { Random } from '../../../core/ports/random.ts'
import { openLink, type Link, type LinkOptions } from './link.ts'

/** Keeps a carrier bound: one link after another. */
export interface ReconnectingLink {
  /** The present link; null between two. */
  readonly link: Link | null
  /** Stops reconnecting, and closes the current link within `graceMs`. */
  close(graceMs: number): Promise<void>
}

/** Dependencies of a reconnecting link. */
export interface ReconnectingLinkOptions extends Omit<LinkOptions, 'onEnd'> {
  readonly random: Random
  /** A link ended, and another will be opened. */
  readonly onLost: (reason: string, status: number | null) => void
}

/** The first wait after a link that failed, and the longest; each doubles the one before. */
const backoffMsMin = 1000
const backoffMsMax = 60_000

/** Bound time after which a link counts as working, in milliseconds. */
const steadyMs = 10_000

/** Opens a link, and another one when it ends. */
export function keepBound(options: ReconnectingLinkOptions): ReconnectingLink {
  const { clock, random, onBound, onLost } = options
  let link: Link | null = null
  let closed = false
  let failures = 0
  let boundAt: number | null = null
  let cancel = (): void => {}

  const open = (): void => {
    boundAt = null
    link = openLink({
      ...options,
      onBound: () => {
        boundAt = clock.monotonic()
        onBound()
      },
      onEnd: (reason, status) => {
        // An SMSC may end each link after some messages: that is no failure.
        const worked = link?.hasProgressed === true || wasSteady(boundAt, clock)
        link = null
        failures = worked ? 0 : failures + 1
        if (!closed) cancel = clock.after(backoffMs(failures, random), open)
        onLost(reason, status)
      },
    })
  }
  open()

  return {
    get link() {
      return link
    },
    close: async (graceMs) => {
      closed = true
      cancel()
      await link?.close(graceMs)
    },
  }
}

function wasSteady(boundAt: number | null, clock: Clock): boolean {
  return boundAt !== null && clock.monotonic() - boundAt >= steadyMs
}

/** Between a half of it and all of it, so that many do not come back at the same moment. */
function backoffMs(failures: number, random: Random): number {
  const wholeMs = Math.min(backoffMsMin * 2 ** Math.min(failures, 16), backoffMsMax)
  return wholeMs * (0.5 + random.fraction() / 2)
}

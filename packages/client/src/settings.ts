import type { Clock } from '../../../src/core/ports/clock.ts'
import type { Random } from '../../../src/core/ports/random.ts'
import { systemClock } from './clock.ts'
import type { ClientOptions, Fetch, RetryLimits } from './options.ts'
import { systemRandom } from './random.ts'

/** The checked options of a client with their defaults. */
export interface Settings {
  /** The URL of the version, with a slash at its end. */
  readonly root: string
  /** The version, such as `v1`. */
  readonly version: string
  /** Absent: the browser's cookie signs requests. */
  readonly key: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly retry: RetryLimits
  readonly fetch: Fetch
  readonly clock: Clock
  readonly random: Random
}

/** Completes the options of a client. Throws TypeError for an invalid URL or version. */
export function settings(options: ClientOptions): Settings {
  const { attempts = 4, totalMs = 60_000 } = options.retry ?? {}
  const version = checkVersion(options.version ?? 'v1')
  return {
    root: `${rootOf(options.baseUrl)}${version}/`,
    version,
    key: options.key,
    headers: options.headers ?? {},
    timeoutMs: options.timeoutMs ?? 30_000,
    retry: { attempts, totalMs },
    // Called without an object: a browser's `fetch` rejects any receiver but the window.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
  }
}

function checkVersion(version: string): string {
  if (/^v\d+(\.\d+)*$/.test(version)) return version
  throw new TypeError(`version must be a name such as v1 or v1.1.0, is ${version}`)
}

function rootOf(baseUrl: string): string {
  const { protocol, origin, pathname, search, hash } = new URL(baseUrl)
  if (!/^https?:$/.test(protocol) || search !== '' || hash !== '') {
    throw new TypeError(`baseUrl must be an http or https URL without a query, is ${baseUrl}`)
  }
  return `${origin}${pathname.replace(/\/+$/, '')}/`
}

import type { AccessPath } from './route.ts'

/** A route, and the one to take where a walk does not lead far enough. */
export interface Choice {
  readonly route: AccessPath
  readonly otherwise: AccessPath
}

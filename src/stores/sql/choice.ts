import type { Route } from './route.ts'

/** A route, and the one to take where a walk does not lead far enough. */
export interface Choice {
  readonly route: Route
  readonly otherwise: Route
}

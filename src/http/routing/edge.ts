import type { Correlation } from '../../core/correlation.ts'
import type { Principal } from '../../core/declaration/rules.ts'
import type { MaybePromise } from '../../core/maybe-promise.ts'
import type { Engine } from '../../engine/operation.ts'
import type { FilterParameter } from '../../engine/query/filter-parameters.ts'
import type { ServedVersion, Versions } from '../../versions/versions.ts'
import type { RespondToCallback } from './callbacks.ts'
import type { Authenticate } from '../access/credentials.ts'
import type { ClientAddress } from '../access/client-address.ts'
import type { Maintenance } from '../access/maintenance.ts'
import type { Limit } from '../access/rate-limit.ts'
import type { OpenIdHandler } from '../sessions/open-id/open-id-sign-in.ts'
import type { SignInHandler } from '../sessions/sign-in.ts'
import type { BytesInFlight } from '../server/bytes-in-flight.ts'
import type { IncomingRequest, PlainResponse, RequestHead } from '../server/request.ts'

/** A resource that is no collection, below the version. */
export interface View {
  /** The scope that it takes is `<name>:read`. */
  readonly name: string
  readonly types: readonly string[]
  readonly get: (asked: ViewRequest) => Promise<PlainResponse>
}

/** A request to a view. */
export interface ViewRequest {
  readonly request: RequestHead
  readonly parameters: readonly FilterParameter[]
  /** The parameters of the URI, for links to other pages. */
  readonly asSent: readonly FilterParameter[]
  readonly principal: Principal
  readonly version: ServedVersion
  /** Returns true while the key is still valid: streams check it again. */
  readonly isStillAllowed: () => Promise<boolean>
}

/** A page outside the versions, which needs no key. */
export type HtmlPage = (request: RequestHead) => MaybePromise<PlainResponse>

/** Dependencies of request processing. */
export interface Edge {
  readonly engine: Engine
  readonly versions: Versions
  readonly authenticate: Authenticate
  readonly clientAddress: ClientAddress
  readonly limit: Limit
  readonly inFlight: BytesInFlight
  readonly maintenance: Maintenance
  /** Responds to providers, which have no key. */
  readonly callback: RespondToCallback
  /** Begins the session of a browser. */
  readonly signIn: SignInHandler
  /** Signs people in at an OpenID provider. */
  readonly openId: OpenIdHandler
  readonly views: ReadonlyMap<string, View>
  readonly pages: ReadonlyMap<string, HtmlPage>
  /** Serves the console and everything below its path. */
  readonly console: HtmlPage
}

/** A request below a version, and what processes it. */
export interface VersionedRequest {
  readonly edge: Edge
  readonly version: ServedVersion
  readonly request: IncomingRequest
  /** The text after the question mark of the target. */
  readonly query: string
  /** Header fields for the response, even if it is a problem. */
  readonly extraHeaders: Record<string, string>
  readonly correlation: Correlation
}

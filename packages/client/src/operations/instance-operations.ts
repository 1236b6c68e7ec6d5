import type { ServiceResponse } from '../requests/attempt.ts'
import type { Call, Caller } from '../requests/call.ts'
import { etagOf, noteEtag } from './entity-tag.ts'
import type {
  CreateOptions,
  DeleteOptions,
  GetOptions,
  PatchOptions,
  PutOptions,
  WriteOptions,
} from '../options.ts'
import { parseObject } from '../requests/parse-answer.ts'
import { NuncioProblem } from '../requests/problem.ts'
import { newIdempotencyKey } from '../random.ts'
import type { Random } from '../../../../src/core/ports/random.ts'

/** The operations on single instances of any collection. */
export interface InstanceOperations {
  create(input: unknown, options?: CreateOptions): Promise<object>
  get(id: string, options?: GetOptions<object>): Promise<object>
  put(id: string, input: unknown, options?: PutOptions): Promise<object>
  patch(id: string, patch: unknown, options?: PatchOptions): Promise<object>
  delete(id: string, options?: DeleteOptions): Promise<void>
}

/** Makes the operations on the instances of the collection at a path. */
export function instanceOperations(call: Caller, path: string, random: Random): InstanceOperations {
  const at = (id: string): string => instancePath(path, id)
  const write = async (request: Call): Promise<object> => instanceIn(await call(request))

  return {
    create: (body, options) => {
      const key = options?.idempotencyKey ?? newIdempotencyKey(random)
      const headers = { 'idempotency-key': key, prefer: handling(options) }
      return write({ method: 'POST', path, headers, body, idempotent: true, options })
    },
    get: async (id, options) => {
      const known = options?.known
      const headers = { 'if-none-match': known === undefined ? undefined : etagOf(known) }
      const { account } = options ?? {}
      const query = account === undefined ? '' : `?account=${encodeURIComponent(account)}`
      const answer = await call({ method: 'GET', path: at(id) + query, headers, options })
      return answer.status === 304 && known !== undefined ? known : instanceIn(answer)
    },
    put: async (id, body, options) => {
      const { ifMatch, ifNoneMatch } = options ?? {}
      const prefer = handling(options)
      const headers = { 'if-match': ifMatch, 'if-none-match': ifNoneMatch, prefer }
      return write({ method: 'PUT', path: at(id), headers, body, options })
    },
    patch: async (id, body, options) => {
      const { ifMatch } = options ?? {}
      const prefer = handling(options)
      const headers = { 'content-type': mergePatch, 'if-match': ifMatch, prefer }
      // A condition prevents a second execution.
      const idempotent = ifMatch !== undefined
      return write({ method: 'PATCH', path: at(id), headers, body, idempotent, options })
    },
    delete: async (id, options) => {
      const headers = { 'if-match': options?.ifMatch, prefer: handling(options) }
      try {
        await call({ method: 'DELETE', path: at(id), headers, options })
      } catch (error) {
        if (!isDone(error)) throw error
      }
    },
  }
}

/** Returns the path of an instance below the version. Throws TypeError for an id that no URL can name. */
export function instancePath(collection: string, id: string): string {
  // An empty id names the collection; a URL resolves dots (RFC 3986 section 5.2.4).
  if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) {
    throw new TypeError(`an id must be a text other than "", "." and "..", is ${id}`)
  }
  return `${collection}/${encodeURIComponent(id)}`
}

const mergePatch = 'application/merge-patch+json'

/** Returns the header field `Prefer`; undefined keeps the client's own field. */
function handling(options: Pick<WriteOptions, 'dryRun'> | undefined): string | undefined {
  return options?.dryRun === true ? 'handling=dry-run' : undefined
}

/** After a lost response, a 404 means that the deletion succeeded. */
function isDone(error: unknown): boolean {
  return error instanceof NuncioProblem && error.type === 'not-found' && error.uncertain
}

function instanceIn(answer: ServiceResponse): object {
  const instance = parseObject(answer)
  noteEtag(instance, answer.headers)
  return instance
}

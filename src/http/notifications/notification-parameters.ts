import type { LogFilter, LogPosition } from '../../core/ports/notification-log.ts'
import { invalidParameters, type InputError } from '../../core/problem.ts'
import type { FilterParameter } from '../../engine/query/filter-parameters.ts'
import type { CursorCodec } from './cursor-codec.ts'

/** Types and statuses that requests can select, and the defaults. */
export interface NotificationChoices {
  readonly types: readonly string[]
  readonly typesDefault: readonly string[]
  readonly statuses: readonly string[]
  readonly statusesDefault: readonly string[]
}

/** A parsed request for notifications. */
export interface NotificationRequest {
  readonly after: LogPosition | null
  readonly filter: LogFilter
  readonly limit: number
}

const pageSizeDefault = 50
const pageSizeMax = 1000

/** Reads what a request asks for of the log, or throws a `Problem` that lists every fault. */
export function readNotificationRequest(
  codec: CursorCodec,
  lastEventId: string | undefined,
  parameters: readonly FilterParameter[],
  choices: NotificationChoices,
): NotificationRequest {
  const errors: InputError[] = []
  const values = new Map<string, string[]>()
  for (const [name, value] of parameters) {
    if (!['after', 'pageSize', 'types', 'statuses'].includes(name)) {
      errors.push({
        parameter: name,
        detail: 'is not a parameter here; use after, pageSize, types or statuses',
      })
    }
    values.set(name, [...(values.get(name) ?? []), ...value.split(',')])
  }
  const cursor = lastEventId ?? values.get('after')?.join(',')
  const after = cursor === undefined ? null : codec.decode(cursor)
  if (cursor !== undefined && after === null) {
    errors.push({ parameter: 'after', detail: 'must be a cursor from this service, or 0' })
  }
  const size = values.get('pageSize')?.join(',')
  const limit = size === undefined ? pageSizeDefault : Number(size)
  if (!Number.isInteger(limit) || limit < 1 || limit > pageSizeMax) {
    errors.push({
      parameter: 'pageSize',
      detail: `must be a whole number from 1 to ${pageSizeMax}`,
    })
  }
  const types = readNames('types', values, choices.types, choices.typesDefault, errors)
  const statuses = readNames('statuses', values, choices.statuses, choices.statusesDefault, errors)
  if (errors.length > 0) throw invalidParameters(errors)
  return { after, filter: { types, statuses }, limit }
}

function readNames(
  parameter: string,
  values: ReadonlyMap<string, readonly string[]>,
  known: readonly string[],
  byDefault: readonly string[],
  errors: InputError[],
): readonly string[] {
  const given = values.get(parameter)
  if (given === undefined) return byDefault
  if (given.every((name) => known.includes(name))) return given
  errors.push({ parameter, detail: `must be one of ${known.join(', ')}` })
  return []
}

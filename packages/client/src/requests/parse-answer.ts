import type { ServiceResponse } from './attempt.ts'
import { NuncioConnectionError } from './connection-error.ts'

/** Parses a response that is an object. Throws `NuncioConnectionError` for anything else. */
export function parseObject(answer: ServiceResponse): object {
  const value = parse(answer)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw malformed(answer, 'is no object')
}

/** Parses a response that is a list. Throws `NuncioConnectionError` for anything else. */
export function parseList(answer: ServiceResponse): readonly unknown[] {
  const value = parse(answer)
  if (Array.isArray(value)) return value
  throw malformed(answer, 'is no list')
}

function parse(answer: ServiceResponse): unknown {
  try {
    return JSON.parse(answer.text)
  } catch (error) {
    throw malformed(answer, 'is not JSON', error)
  }
}

function malformed({ status, headers }: ServiceResponse, fault: string, cause?: unknown): Error {
  const type = headers.get('content-type') ?? 'no media type'
  const message = `The answer ${fault} (status ${status}, ${type}). Check baseUrl.`
  return new NuncioConnectionError('malformed', message, cause)
}

import assert from 'node:assert/strict'
import { Problem } from '../../../src/core/problem.ts'

/** Expects a refusal with this status. */
export function refused(status: number) {
  return (error: unknown): boolean => error instanceof Problem && error.status === status
}

/** Expects a refusal of the body with exactly these faults. */
export function faults(...expected: readonly [pointer: string, detail: RegExp][]) {
  return (error: unknown): boolean => {
    assert.ok(error instanceof Problem)
    assert.equal(error.status, 400)
    assert.deepEqual(
      error.errors.map((fault) => ('pointer' in fault ? fault.pointer : '')),
      expected.map(([pointer]) => pointer),
    )
    error.errors.forEach((fault, index) => assert.match(fault.detail, expected[index]?.[1] ?? /^$/))
    return true
  }
}

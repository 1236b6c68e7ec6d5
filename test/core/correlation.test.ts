import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  chosenRequestId,
  correlationFields,
  correlationHeaders,
  correlationText,
  readCorrelation,
  readTraceparent,
} from '../../src/core/correlation.ts'

const trace = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${trace}-b7ad6b7169203331-01`

describe('a correlation', () => {
  it('takes a traceparent as W3C Trace Context has it, and a later version as version 00', () => {
    assert.equal(readTraceparent(traceparent), traceparent)
    assert.equal(readTraceparent(`cc${traceparent.slice(2)}`), traceparent)
    assert.equal(readTraceparent(`cc${traceparent.slice(2)}-more`), traceparent)
  })

  it('ignores a malformed traceparent', () => {
    const malformed = [
      undefined,
      '',
      'x',
      traceparent.toUpperCase(),
      `ff${traceparent.slice(2)}`,
      `${traceparent}-more`,
      `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
      `00-${trace}-${'0'.repeat(16)}-01`,
      `${traceparent}, ${traceparent}`,
      ` ${traceparent}`,
    ]

    assert.deepEqual(
      malformed.map(readTraceparent),
      malformed.map(() => null),
    )
  })

  it('takes an identifier that fits a header field, a log line and a stored text', () => {
    const fits = ['a', 'Root=1-67891233-abcdef012345678912345678', 'x'.repeat(128), 'YWJj+/=']
    const unfit = ['', 'a b', 'a,b', 'a"', 'a\n', 'é', 'x'.repeat(129), ['a'], undefined]

    assert.deepEqual(fits.map(chosenRequestId), fits)
    assert.deepEqual(
      unfit.map(chosenRequestId),
      unfit.map(() => null),
    )
  })

  it('is the same after it was stored as a text', () => {
    for (const correlation of [
      { requestId: 'request_1', traceparent },
      { requestId: 'request_1', traceparent: null },
    ]) {
      assert.deepEqual(readCorrelation(correlationText(correlation)), correlation)
    }
  })

  it('of several messages is in a log line whole, and in header fields only if it is one', () => {
    const [one, other] = ['request_1', 'request_2'].map((requestId) =>
      correlationText({ requestId, traceparent }),
    )

    assert.deepEqual(correlationFields(one, one), { requestId: 'request_1', traceId: trace })
    assert.deepEqual(correlationFields(one, other), {
      requestIds: ['request_1', 'request_2'],
      traceIds: [trace],
    })
    assert.deepEqual(correlationFields('request_1', null), { requestIds: ['request_1'] })
    assert.deepEqual(correlationFields(undefined), {})
    assert.deepEqual(correlationHeaders(one, one), { 'x-request-id': 'request_1', traceparent })
    assert.deepEqual(correlationHeaders(one, other), {})
    assert.deepEqual(correlationHeaders(one, undefined), {})
  })
})

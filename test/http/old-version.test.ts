import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { systemClock } from '../../src/core/ports/clock.ts'
import { bytesInFlight } from '../../src/http/server/bytes-in-flight.ts'
import { handle } from '../../src/http/server/handle.ts'
import { serve } from '../../src/http/server/server.ts'

describe('A request in HTTP/1.0', () => {
  it('has no chunks, and nothing that follows them is taken for a request', async (t) => {
    const newRequestId = (): string => 'request_1'
    const answer = handle(
      async () => ({ status: 200, headers: {}, body: '{}' }),
      newRequestId,
      () => {},
    )
    const address = { host: '127.0.0.1', port: 0, maxConnections: 10 }
    const parts = { newRequestId, clock: systemClock, inFlight: bytesInFlight() }
    const server = await serve(answer, address, parts)
    t.after(() => server.close())
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')

    socket.write(
      'POST /v1 HTTP/1.0\r\nhost: x\r\nconnection: keep-alive\r\ntransfer-encoding: chunked\r\n\r\n' +
        '2\r\n{}\r\n0\r\n\r\nGET /v1 HTTP/1.1\r\nhost: x\r\n\r\n',
    )

    assert.deepEqual((await text(socket)).match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 400'])
  })
})

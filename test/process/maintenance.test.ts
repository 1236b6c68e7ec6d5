import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runProgram, startService, temporaryFolder, type Service } from '../support/service.ts'

describe('nuncio maintenance, on the running service', () => {
  it('closes it, over a restart and a crash, to all but administrators who read', async (t) => {
    const folder = await temporaryFolder(t)
    const first = await startService(t, folder)
    const { key } = first
    const program = await newKey(first)
    const command = (service: Service, ...words: readonly string[]) =>
      runProgram(
        ['maintenance', ...words],
        { NUNCIO_SERVICE: service.url, NUNCIO_KEY: key },
        folder,
      )

    const on = await command(first, 'on', '--retry-after', '300')
    const closed = await seen(first, key, program)
    await first.end('SIGTERM')
    const second = await startService(t, folder)
    const restarted = await seen(second, key, program)
    await second.end('SIGKILL')
    const third = await startService(t, folder)
    const killed = await seen(third, key, program)
    const off = await command(third, 'off')
    const open = await seen(third, key, program)

    const whileOn = {
      program: [503, '300'],
      nobody: [503, '300'],
      reads: 200,
      writes: 503,
      live: 200,
    }
    assert.deepEqual([on.code, on.out], [0, 'Maintenance is on.\n'])
    assert.deepEqual([closed, restarted, killed], [whileOn, whileOn, whileOn])
    assert.equal(off.code, 0)
    assert.deepEqual(open, {
      program: [200, null],
      nobody: [401, null],
      reads: 200,
      writes: 201,
      live: 200,
    })
    assert.equal(await third.end('SIGTERM'), 0)
  })
})

/** What a program, somebody without a key, an administrator and a load balancer see. */
async function seen({ url }: Service, admin: string, program: string): Promise<object> {
  const asked = async (secret: string, method = 'GET'): Promise<Response> => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
    const content = method === 'POST' ? { body: '{"address":"12345"}' } : {}
    const answer = await fetch(`${url}/v1/contacts`, { method, headers, ...content })
    await answer.text()
    return answer
  }
  const short = ({ status, headers }: Response) => [status, headers.get('retry-after')]
  const live = await fetch(`${url}/health/live`)
  await live.text()
  return {
    program: short(await asked(program)),
    nobody: short(await asked('nuncio_none')),
    reads: (await asked(admin)).status,
    writes: (await asked(admin, 'POST')).status,
    live: live.status,
  }
}

async function newKey({ url, key }: Service): Promise<string> {
  const answer = await fetch(`${url}/v1/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"scopes":["*"]}',
  })
  const { secret }: { secret: string } = JSON.parse(await answer.text())
  return secret
}

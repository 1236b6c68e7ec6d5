import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchKannel } from '../../test/peers/kannel/kannel.ts'
import { freePort } from '../../test/support/free-ports.ts'
import { command, end } from '../processes.ts'
import { launched } from './launched.ts'

/** Kannel, running: its box for HTTP in front of its bearerbox, bound to an SMSC. */
export interface KannelGateway extends AsyncDisposable {
  /** Where messages are sent, and the pids of its two boxes. */
  readonly port: number
  readonly pids: readonly number[]
}

/** What it keeps. */
export const kannelDurability =
  'messages in a store file of its own, written without waiting for the disk; receipts in memory'

const home = join(tmpdir(), 'nuncio-kannel')

/** Fetches it where it is not there yet. Returns why it cannot be had, or null. */
export const kannelFault = fetchKannel

/** Starts it over an SMSC. */
export async function startKannelGateway(folder: string, smscPort: number): Promise<KannelGateway> {
  const [boxPort, adminPort, port] = [await freePort(), await freePort(), await freePort()]
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'kannel.conf'), config({ boxPort, adminPort, port, smscPort }))
  const env = { LD_LIBRARY_PATH: libraries() }
  const box = (name: string): string => join(home, 'root/usr/sbin', name)
  const args = ['-v', '4', 'kannel.conf']
  const bearer = command({ program: box('bearerbox'), args, env, cwd: folder })
  try {
    await answers(adminPort)
    const sms = await launched({ program: box('smsbox'), args, env, cwd: folder }, port, '/none')
    return {
      port,
      pids: [bearer.child.pid ?? 0, sms.pid],
      async [Symbol.asyncDispose]() {
        await sms[Symbol.asyncDispose]()
        await end(bearer.child, 'SIGKILL')
      },
    }
  } catch (error) {
    await end(bearer.child, 'SIGKILL')
    throw new Error(`kannel: ${bearer.printed()}`, { cause: error })
  }
}

/** Waits until its bearerbox is bound to the SMSC. */
async function answers(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const status = await fetch(`http://127.0.0.1:${port}/status.txt?password=x`)
      .then((answer) => answer.text())
      .catch(() => '')
    if (status.includes('online')) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('its bearerbox was not bound in 20 s')
}

function libraries(): string {
  return ['usr/lib/x86_64-linux-gnu', 'lib/x86_64-linux-gnu']
    .map((part) => join(home, 'root', part))
    .join(':')
}

type Ports = Readonly<Record<'boxPort' | 'adminPort' | 'port' | 'smscPort', number>>

const config = ({ boxPort, adminPort, port, smscPort }: Ports): string => `group = core
admin-port = ${adminPort}
admin-password = x
smsbox-port = ${boxPort}
box-allow-ip = "127.0.0.1"
dlr-storage = internal
store-type = file
store-location = "kannel.store"

group = smsc
smsc = smpp
smsc-id = up
host = 127.0.0.1
port = ${smscPort}
transceiver-mode = true
smsc-username = kannel
smsc-password = up
system-type = ""
max-pending-submits = 100

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${port}
max-pending-requests = 1000
http-queue-delay = 1

group = sendsms-user
username = bench
password = bench
max-messages = 1
`

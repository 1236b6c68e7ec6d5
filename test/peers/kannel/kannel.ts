import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePorts } from '../../support/free-ports.ts'

/** Kannel, running: its SMPP server in front of its bearerbox, which is an ESME of the SMSC at `upPort`. */
export interface Kannel extends AsyncDisposable {
  /** Where its SMPP server listens. */
  readonly port: number
  /** Ends its SMPP server; `start` begins it again. */
  stop(): Promise<void>
  start(): Promise<void>
}

const home = join(tmpdir(), 'nuncio-kannel')

/** Fetches Kannel. Returns why it cannot be had, or null. */
export async function fetchKannel(): Promise<string | null> {
  try {
    await promisify(execFile)('sh', [join(import.meta.dirname, 'fetch.sh'), home])
    return null
  } catch (error) {
    return (error as { stderr?: string }).stderr?.trim() || String(error)
  }
}

/** Starts Kannel beneath an SMSC. */
export async function startKannel(upPort: number): Promise<Kannel> {
  const [port, boxPort, adminPort, sendPort] = await freePorts(4)
  const run = join(home, `run-${process.pid}`)
  await mkdir(run, { recursive: true })
  const bearer = bearerConfig({ adminPort, boxPort, sendPort, upPort })
  await writeFile(join(run, 'bearer.conf'), bearer)
  await writeFile(join(run, 'smpp.conf'), smppConfig({ port, boxPort }))
  await writeFile(join(run, 'logins.txt'), 'nuncio hush VMA\n')

  const begin = (program: string, config: string): ChildProcess =>
    spawn(program, [config], { cwd: run, stdio: 'ignore', env: { LD_LIBRARY_PATH: libraries() } })
  const bearerbox = begin(join(home, 'root/usr/sbin/bearerbox'), 'bearer.conf')
  let smppbox: ChildProcess | null = null

  const kannel: Kannel = {
    port: port ?? 0,
    start: async () => {
      smppbox = begin(join(home, 'opensmppbox'), 'smpp.conf')
    },
    stop: async () => {
      if (smppbox !== null) await ended(smppbox)
      smppbox = null
    },
    async [Symbol.asyncDispose]() {
      await kannel.stop()
      await ended(bearerbox)
    },
  }
  await kannel.start()
  return kannel
}

function libraries(): string {
  return ['usr/lib/x86_64-linux-gnu', 'lib/x86_64-linux-gnu']
    .map((folder) => join(home, 'root', folder))
    .join(':')
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exit
}

type Ports = Readonly<Record<string, number | undefined>>

const bearerConfig = ({ adminPort, boxPort, sendPort, upPort }: Ports): string => `group = core
admin-port = ${adminPort}
admin-password = x
smsbox-port = ${boxPort}
box-allow-ip = "127.0.0.1"
dlr-storage = internal

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${sendPort}

group = smsc
smsc = smpp
smsc-id = up
host = 127.0.0.1
port = ${upPort}
transceiver-mode = true
smsc-username = kannel
smsc-password = up
system-type = ""
reconnect-delay = 1

group = smsbox-route
smsbox-id = nuncio
smsc-id = up
`

const smppConfig = ({ port, boxPort }: Ports): string => `group = core
dlr-storage = internal

group = opensmppbox
opensmppbox-id = smppbox
opensmppbox-port = ${port}
bearerbox-host = 127.0.0.1
bearerbox-port = ${boxPort}
our-system-id = kannel
route-to-smsc = up
smpp-logins = "logins.txt"
use-systemid-as-smsboxid = true
`

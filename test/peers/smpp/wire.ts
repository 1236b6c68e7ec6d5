import { writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A connection through which a carrier reaches its peer, and what went over it. */
export interface Wire extends AsyncDisposable {
  readonly port: number
  /** Commands that the carrier sent, in order. */
  commands(): readonly number[]
  /** Writes all octets as a capture that Wireshark reads. */
  save(file: string): Promise<void>
}

interface Flow {
  readonly fromCarrier: boolean
  readonly stream: number
  readonly octets: Buffer
}

/** Opens a wire to a port of this machine. */
export async function openWire(to: number): Promise<Wire> {
  const flows: Flow[] = []
  const sockets = new Set<Socket>()
  let streams = 0
  const server = createServer((carrier) => {
    const peer = connect({ port: to, host: '127.0.0.1' })
    const stream = (streams += 1)
    for (const [from, into, fromCarrier] of [
      [carrier, peer, true],
      [peer, carrier, false],
    ] as const) {
      sockets.add(from)
      from.on('data', (octets: Buffer) => {
        flows.push({ fromCarrier, stream, octets })
        into.write(octets)
      })
      from.on('error', () => {})
      from.on('close', () => into.destroy())
    }
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    commands: () => commandsIn(flows),
    save: (file) => writeFile(file, capture(flows)),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

function commandsIn(flows: readonly Flow[]): readonly number[] {
  const streams = Map.groupBy(
    flows.filter(({ fromCarrier }) => fromCarrier),
    ({ stream }) => stream,
  )
  return [...streams.values()].flatMap((own) => {
    const octets = Buffer.concat(own.map((flow) => flow.octets))
    const commands: number[] = []
    for (let at = 0; at + 16 <= octets.length; at += octets.readUInt32BE(at)) {
      commands.push(octets.readUInt32BE(at + 4))
    }
    return commands
  })
}

/** Port that Wireshark reads as SMPP. */
const smppPort = 2775

/** The most octets of a segment. */
const segmentMax = 1400

/** A capture of raw IP packets (libpcap, link type 101), with the ports of SMPP. */
function capture(flows: readonly Flow[]): Buffer {
  const header = Buffer.alloc(24)
  header.writeUInt32LE(0xa1b2c3d4, 0)
  header.writeUInt16LE(2, 4)
  header.writeUInt16LE(4, 6)
  header.writeUInt32LE(65_535, 16)
  header.writeUInt32LE(101, 20)
  const sent = new Map<string, number>()
  const packets = flows.flatMap(({ fromCarrier, stream, octets }) => {
    const [own, other] = [`${stream} ${fromCarrier}`, `${stream} ${!fromCarrier}`]
    const parts: Buffer[] = []
    for (let at = 0; at < octets.length; at += segmentMax) {
      const part = octets.subarray(at, at + segmentMax)
      const sequence = sent.get(own) ?? 1
      sent.set(own, sequence + part.length)
      const ports = fromCarrier ? [20_000 + stream, smppPort] : [smppPort, 20_000 + stream]
      parts.push(packet(part, ports, sequence, sent.get(other) ?? 1))
    }
    return parts
  })
  return Buffer.concat([header, ...packets])
}

function packet(
  payload: Buffer,
  [from = 0, to = 0]: readonly number[],
  sequence: number,
  acknowledged: number,
): Buffer {
  const length = 40 + payload.length
  const head = Buffer.alloc(16 + 40)
  head.writeUInt32LE(length, 8)
  head.writeUInt32LE(length, 12)
  head.writeUInt8(0x45, 16)
  head.writeUInt16BE(length, 18)
  head.writeUInt8(64, 24)
  head.writeUInt8(6, 25)
  head.writeUInt32BE(0x7f000001, 28)
  head.writeUInt32BE(0x7f000001, 32)
  head.writeUInt16BE(from, 36)
  head.writeUInt16BE(to, 38)
  head.writeUInt32BE(sequence, 40)
  head.writeUInt32BE(acknowledged, 44)
  head.writeUInt8(0x50, 48)
  head.writeUInt8(0x18, 49)
  head.writeUInt16BE(65_535, 50)
  return Buffer.concat([head, payload])
}

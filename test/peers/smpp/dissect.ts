import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { DebianPackage } from './debian-package.ts'

/** What Wireshark reads in a capture. */
export interface Dissected {
  /** Number of PDUs of SMPP. */
  readonly pdus: number
  /** Lines of packets that are malformed or have an error. */
  readonly malformed: readonly string[]
}

/** Reads a capture with Wireshark's dissector of SMPP. */
export async function dissect(
  { root, env }: Extract<DebianPackage, { readonly root: string }>,
  file: string,
): Promise<Dissected> {
  const read = async (...args: string[]): Promise<readonly string[]> => {
    const all = ['-r', file, '-o', 'tcp.check_checksum:FALSE', ...args]
    const options = { env: { ...env, HOME: root }, maxBuffer: 1 << 28 }
    const { stdout } = await promisify(execFile)(join(root, 'usr/bin/tshark'), all, options)
    return stdout.split('\n').filter((line) => line !== '')
  }
  const commands = await read('-Y', 'smpp', '-T', 'fields', '-e', 'smpp.command_id')
  const filter = '_ws.malformed || (smpp && _ws.expert.severity == error) || (tcp.len > 0 && !smpp)'
  return {
    pdus: commands.flatMap((line) => line.split(',')).length,
    malformed: await read('-Y', filter),
  }
}

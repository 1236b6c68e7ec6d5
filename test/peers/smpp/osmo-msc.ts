import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePorts } from '../../support/free-ports.ts'
import type { DebianPackage } from './debian-package.ts'
import { startPeer, type Peer } from './peer.ts'

/** Many machines have no SCTP, which its other ports need: they listen on TCP instead. */
const tcpInstead = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/socket.h>
int socket(int domain, int type, int protocol) {
  int (*real)(int, int, int) = dlsym(RTLD_NEXT, "socket");
  return real(domain, type, protocol == 132 ? 0 : protocol);
}
int setsockopt(int fd, int level, int name, const void *value, socklen_t size) {
  int (*real)(int, int, int, const void *, socklen_t) = dlsym(RTLD_NEXT, "setsockopt");
  return level == 132 ? 0 : real(fd, level, name, value, size);
}
`

/** Starts osmo-msc. It stores what is submitted; without a subscriber there is no receipt. */
export async function startOsmoMsc(
  osmo: Extract<DebianPackage, { readonly root: string }>,
): Promise<Peer> {
  const [port = 0, sgs] = await freePorts(2)
  const run = join(tmpdir(), `nuncio-osmo-msc/run-${process.pid}`)
  await mkdir(run, { recursive: true })
  await writeFile(join(run, 'tcp.c'), tcpInstead)
  await promisify(execFile)('gcc', ['-shared', '-fPIC', '-o', 'tcp.so', 'tcp.c'], { cwd: run })
  const sgsLines = `sgs\n local-ip 127.0.0.1\n local-port ${sgs}\n`
  const config = `${sgsLines}smpp\n local-tcp-ip 127.0.0.1 ${port}\n policy accept-all\n`
  await writeFile(join(run, 'msc.cfg'), config)
  const env = { ...osmo.env, LD_PRELOAD: join(run, 'tcp.so') }
  return startPeer(port, join(osmo.root, 'usr/bin/osmo-msc'), ['-c', 'msc.cfg'], { cwd: run, env })
}

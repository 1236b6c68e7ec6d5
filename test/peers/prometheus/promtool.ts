import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fetchPackage } from '../smpp/debian-package.ts'

/** Prometheus and its tool, as Debian has them; or the reason why they cannot be had. */
export type Prometheus =
  { readonly server: string; readonly tool: string } | { readonly lacking: string }

/** Fetches Prometheus. */
export async function fetchPrometheus(): Promise<Prometheus> {
  const fetched = await fetchPackage('prometheus', 'usr/bin/promtool')
  if (fetched.lacking !== null) return { lacking: fetched.lacking }
  const program = (name: string): string => join(fetched.root, 'usr/bin', name)
  return { server: program('prometheus'), tool: program('promtool') }
}

/** Runs its tool, and returns all that it prints. */
export function promtool(
  tool: string,
  args: readonly string[],
  input = '',
): { readonly status: number | null; readonly printed: string } {
  const { status, stdout, stderr } = spawnSync(tool, args, { input, encoding: 'utf8' })
  return { status, printed: `${stdout}${stderr}`.trim() }
}

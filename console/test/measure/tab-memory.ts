import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'

/** Returns the memory of the largest tab in megabytes, without what it shares with other processes. */
export async function tabMegabytes(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const tabs = processInfo.filter(({ type }) => type === 'renderer')
  const sizes = await Promise.all(tabs.map(({ id }) => privateMegabytes(id)))
  return Math.max(...sizes)
}

async function privateMegabytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  const parts = [...text.matchAll(/^Private_\w+:\s+(\d+) kB$/gm)]
  return parts.reduce((sum, [, kilobytes]) => sum + Number(kilobytes) / 1024, 0)
}

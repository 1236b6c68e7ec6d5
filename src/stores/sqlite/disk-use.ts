import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DiskUse } from '../../core/ports/store-health.ts'

/** Measures the files of a store and the disk that they are on. */
export async function diskUse(file: string): Promise<DiskUse> {
  const sizeOf = (path: string): Promise<number> =>
    stat(path).then(
      ({ size }) => size,
      () => 0,
    )
  const [dataBytes, walBytes, disk] = await Promise.all([
    sizeOf(file),
    sizeOf(`${file}-wal`),
    statfs(dirname(file)),
  ])
  return {
    dataBytes,
    walBytes,
    freeBytes: disk.bavail * disk.bsize,
    totalBytes: disk.blocks * disk.bsize,
  }
}

import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DiskUse, StoreLook } from '../../core/ports/store-health.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'
import { currentSchema } from '../sql/tables/schema-change.ts'
import { asFault } from './fault.ts'
import { checkFile } from './migrate.ts'
import { openReader } from './open-file.ts'

// Not imported, which would load all that it exports (docs/decisions/0016).
const { accessSync, constants, existsSync } = process.getBuiltinModule('node:fs')

/** Looks at a file that a service may be using. Throws `StoreUnavailable` if no service can use it. */
export async function lookAtFile(file: string): Promise<StoreLook> {
  const look = { name: file, aheadMs: null }
  if (!existsSync(file)) return { ...look, exists: false, freeBytes: null }
  checkWritable(file)
  try {
    const database = openReader(file)
    try {
      checkFile(database, file, currentSchema)
    } finally {
      database.close()
    }
  } catch (error) {
    throw asFault(file, error)
  }
  const { freeBytes } = await diskUse(file)
  return { ...look, exists: true, freeBytes }
}

function checkWritable(file: string): void {
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
  } catch (error) {
    throw new StoreUnavailable(
      `this user may not write ${file}; run as the user of the service, or change its owner`,
      { cause: error },
    )
  }
}

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

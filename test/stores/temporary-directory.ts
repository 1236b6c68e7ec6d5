import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A directory that is gone, with all that is in it, when it is disposed of. */
export interface TemporaryDirectory extends AsyncDisposable {
  /** The path of a file in it. */
  file(name: string): string
}

/** Makes a directory for one test. */
export async function temporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'nuncio-test-'))
  return {
    file: (name) => join(path, name),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}

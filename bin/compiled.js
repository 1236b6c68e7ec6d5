import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Keeps what Node makes of the program's files beside them: text without types, and bytecode. Without
 * it each start loads a compiler, which then stays in memory. Where nothing can be written it is as if
 * it were not there (docs/decisions/0016).
 */
export function keepCompiled() {
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/nuncio', import.meta.url)))
}

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Loaded before the service (`--import`): answers each message with its memory, after a collection. */
setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

process.on('message', () => {
  collect()
  const { rss, heapUsed, external } = process.memoryUsage()
  process.send?.({ rss, heap: heapUsed + external })
})
process.channel?.unref()

import { putLoad, type Load } from '../put-load.ts'

// The client in a process of its own: the work comes as a message, the result goes back as one.
process.on('message', (work: Load) => void putLoad(work).then((result) => process.send?.(result)))
process.on('disconnect', () => process.exit())
process.send?.({ port: 0 })

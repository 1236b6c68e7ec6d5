import { load } from './load.ts'

// The load generator in a process of its own: the work comes as JSON, the result goes back as JSON.
process.stdout.write(JSON.stringify(await load(JSON.parse(process.argv[2] ?? '{}'))))

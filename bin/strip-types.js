import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'

/** Files of ours in a folder of installed packages. */
const ours = /\/node_modules\/(nuncio|@nuncio\/[^/]+)\/(?!.*\/node_modules\/).*\.ts$/

/** Node runs TypeScript as it is, but not where packages are installed. There this does what Node does. */
export function runInstalledTypeScript() {
  warnOfNothing(() => stripTypeScriptTypes(''))
  registerHooks({
    load(url, context, next) {
      if (!ours.test(url)) return next(url, context)
      const source = stripTypeScriptTypes(readFileSync(new URL(url), 'utf8'))
      return { format: 'module', source, shortCircuit: true }
    },
  })
}

/** At its first use Node says that the function may change, to whoever runs the program. */
function warnOfNothing(work) {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    work()
  } finally {
    process.emitWarning = emitWarning
  }
}

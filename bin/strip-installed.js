import { runInstalledTypeScript } from './strip-types.js'

/** Preloaded by threads of an installed package: they do not inherit the hooks of the main thread. */
runInstalledTypeScript()

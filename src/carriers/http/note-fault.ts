/** Notes that something is wrong at a pointer below the settings. */
export type NoteFault = (pointer: string, detail: string) => void

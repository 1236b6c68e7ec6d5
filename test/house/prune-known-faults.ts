import { writeFileSync } from 'node:fs'
import { checks } from './support/checks.ts'
import { knownFaults } from './support/faults.ts'

// Removes corrected faults from known-faults.json. It adds none.

const left = Object.entries(checks).map(([check, find]) => {
  const found = new Set(find().map(({ id }) => id))
  return [check, (knownFaults[check] ?? []).filter((id) => found.has(id))] as const
})
const file = new URL('known-faults.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(Object.fromEntries(left), null, 2)}\n`)

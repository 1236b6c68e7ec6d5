import type { Instance } from '../api/client.ts'
import { shortId } from '../ui/copy.tsx'

/** Returns what people call an instance. */
export function instanceName(instance: Instance): string {
  for (const field of ['name', 'address', 'prefix', 'title', 'url']) {
    const value = instance[field]
    if (typeof value === 'string' && value !== '') return value
  }
  return shortId(instance.id)
}

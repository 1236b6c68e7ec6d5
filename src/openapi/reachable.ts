import type { Components } from './document.ts'

/** Returns the components that an object refers to, directly or indirectly, in order. */
export function reachable(from: object, components: Components): Components {
  const wanted = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value)) {
      if (name === '$ref' && typeof inner === 'string') follow(inner)
      else visit(inner)
    }
  }
  const follow = (reference: string): void => {
    if (wanted.has(reference)) return
    wanted.add(reference)
    const [, , kind = '', name = ''] = reference.split('/')
    const group: Readonly<Record<string, unknown>> =
      new Map(Object.entries(components)).get(kind) ?? {}
    visit(group[name])
  }
  visit(from)

  const kept = <T>(kind: keyof Components, group: Readonly<Record<string, T>>) =>
    Object.fromEntries(
      Object.entries(group).filter(([name]) => wanted.has(`#/components/${kind}/${name}`)),
    )
  return {
    securitySchemes: components.securitySchemes,
    parameters: kept('parameters', components.parameters),
    headers: kept('headers', components.headers),
    responses: kept('responses', components.responses),
    schemas: kept('schemas', components.schemas),
  }
}

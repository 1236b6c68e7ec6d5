import { useCollection } from '../../api/queries.ts'

/** The lengths that a contact's texts may have. */
export interface ContactLimits {
  readonly nameMax?: number | undefined
  readonly tagMax?: number | undefined
  readonly attributeMax?: number | undefined
}

/** Returns the limits that the declaration of contacts has. */
export function useContactLimits(): ContactLimits {
  const inputs = useCollection('contacts')?.inputs ?? []
  const schemaOf = (wanted: string) => inputs.find(({ name }) => name === wanted)?.schema
  const values = schemaOf('attributes')?.additionalProperties
  return {
    nameMax: schemaOf('name')?.maxLength,
    tagMax: schemaOf('tags')?.items?.maxLength,
    attributeMax: typeof values === 'object' ? values.maxLength : undefined,
  }
}

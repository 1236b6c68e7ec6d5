import type { Instance } from '../../api/client.ts'
import type { FieldDescription } from '../../api/field.ts'
import type { Leaf } from '../../collections/columns.ts'

/** The parties of a message as columns: whether it was sent or received, the other one comes first. */
export const partyColumns: readonly Leaf[] = [
  { path: 'counterpart', field: textField('counterpart'), compute: counterpartOf },
  { path: 'ownAddress', field: textField('ownAddress'), compute: ownAddress },
]

/** Returns the other party of a message; null if it has no address. */
export function counterpartOf({ type, from, to }: Instance): string | null {
  const address = type === 'RECEIVED' ? from : to
  return address === '' ? null : String(address)
}

function ownAddress({ type, from, to }: Instance): unknown {
  return type === 'RECEIVED' ? to : from
}

function textField(name: string): FieldDescription {
  return {
    name,
    kind: 'text',
    description: '',
    nullable: false,
    required: false,
    writeOnly: false,
    choices: [],
    schema: {},
    members: [],
    item: null,
  }
}

import { useNavigate, useSearch } from '@tanstack/react-router'
import type { CollectionDescription } from '../../api/collection.ts'
import {
  listStateIn,
  writeListState,
  type AddressParameters,
  type ListState,
} from './list-state.ts'

/** Reads and changes the state of the list in the address. */
export function useListState(
  collection: CollectionDescription,
): readonly [ListState, (state: ListState) => void] {
  const parameters: AddressParameters = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = (state: ListState): void => {
    void navigate({ to: '.', search: writeListState(state), replace: true })
  }
  return [listStateIn(collection, parameters), change]
}

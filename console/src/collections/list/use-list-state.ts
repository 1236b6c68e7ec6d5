import type { CollectionDescription } from '../../api/collection.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Condition } from './filter-text.ts'
import {
  readListState,
  writeListState,
  type AddressParameters,
  type ListState,
} from './list-state.ts'

/**
 * Reads and changes the state of the list in the address. The account that is viewed is no condition,
 * unless it is a field of the collection.
 */
export function useListState({
  filters,
}: CollectionDescription): readonly [ListState, (state: ListState) => void] {
  const parameters: AddressParameters = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = (state: ListState): void => {
    void navigate({ to: '.', search: writeListState(state), replace: true })
  }
  const state = readListState(parameters)
  const isCondition = ([name]: Condition): boolean => name !== 'account' || filters.has(name)
  return [{ ...state, filters: state.filters.filter(isCondition) }, change]
}

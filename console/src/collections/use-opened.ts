import { useNavigate, useSearch } from '@tanstack/react-router'

/** Names the dialog that is open; it starts with a character that no field can start with. */
export const openedParameter = '_open'

/** Opens and closes a dialog of a screen in the address, so that the command palette and links lead to it. */
export function useOpened(name: string): readonly [boolean, (isOpen: boolean) => void] {
  const parameters: Readonly<Record<string, string | readonly string[]>> = useSearch({
    strict: false,
  })
  const navigate = useNavigate()
  const change = (isOpen: boolean): void => {
    const { [openedParameter]: _, ...others } = parameters
    const search = isOpen ? { ...others, [openedParameter]: name } : others
    void navigate({ to: '.', search, replace: true })
  }
  return [parameters[openedParameter] === name, change]
}

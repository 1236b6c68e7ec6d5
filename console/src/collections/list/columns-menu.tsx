import type { ReactNode } from 'react'
import { Menu, MenuItem, MenuTrigger, Popover, type Selection } from 'react-aria-components'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { fieldTitle, type Leaf } from '../columns.ts'

interface Props {
  readonly leaves: readonly Leaf[]
  readonly shown: readonly string[]
  /** Null restores the usual columns. */
  readonly onChange: (columns: readonly string[] | null) => void
}

/** Chooses the columns of a list. */
export function ColumnsMenu({ leaves, shown, onChange }: Props): ReactNode {
  const change = (selection: Selection): void => {
    const chosen = selection === 'all' ? new Set(leaves.map(({ path }) => path)) : selection
    const kept = shown.filter((path) => chosen.has(path))
    const added = leaves.map(({ path }) => path).filter((path) => chosen.has(path))
    onChange([...new Set([...kept, ...added])])
  }
  return (
    <MenuTrigger>
      <Button icon="columns">Columns</Button>
      <Popover className="popover" placement="bottom end">
        <Menu
          aria-label="Columns"
          selectionMode="multiple"
          selectedKeys={shown}
          onSelectionChange={change}
          disallowEmptySelection
        >
          {leaves.map(({ path }) => (
            <MenuItem key={path} id={path} className="option" textValue={fieldTitle(path)}>
              {({ isSelected }) => (
                <>
                  <span className={isSelected ? '' : 'invisible'}>
                    <Icon name="check" size={13} />
                  </span>
                  {fieldTitle(path)}
                </>
              )}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

import { useState, type ReactNode } from 'react'
import { explain } from '../../api/problem.ts'
import { readCsv } from '../../api/read-csv.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.tsx'
import { formatParameters, writeListState, type ListState } from './list-state.ts'

interface Props {
  readonly path: readonly string[]
  readonly state: ListState
}

/** Saves the rows that a list selects as CSV, in its order. */
export function ExportButton({ path, state }: Props): ReactNode {
  const [isBusy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    setBusy(true)
    try {
      const query = formatParameters({ ...writeListState({ ...state, columns: null }) })
      const url = URL.createObjectURL(await readCsv(path, query))
      const link = document.createElement('a')
      link.href = url
      link.download = `${path.at(-1) ?? 'list'}.csv`
      link.click()
      URL.revokeObjectURL(url)
    } catch (error) {
      showToast({ bad: true, text: explain(error).detail })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon="download" iconOnly isDisabled={isBusy} onPress={() => void save()}>
      Export as CSV
    </Button>
  )
}

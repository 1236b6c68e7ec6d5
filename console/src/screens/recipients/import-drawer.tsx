import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { explain, type Failure } from '../../api/problem.ts'
import { useCollection } from '../../api/queries.ts'
import { usePermission } from '../../api/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { FaultNotice } from '../../ui/notice.tsx'
import { countText } from '../../ui/numbers.ts'
import { Drawer } from '../../ui/overlay.tsx'
import { TaskProgress } from '../../ui/task-progress.tsx'
import { ExistingChoice, type Existing } from './existing-choice.tsx'
import { ImportResult } from './import-result.tsx'
import type { Recipient, RecipientList } from './read-recipients.ts'
import { RecipientListInput } from './recipient-list-input.tsx'
import {
  findContacts,
  storeContacts,
  type KnownContacts,
  type StoreResult,
} from './store-contacts.ts'

interface Props {
  /** `contacts`, or the contacts of a group. */
  readonly path: readonly string[]
  readonly onClose: () => void
}

/** Imports contacts: shows the faults first, then what exists already, then the progress, then the result. */
export function ImportDrawer({ path, onClose }: Props): ReactNode {
  const group = path.length > 1 ? (path[1] ?? null) : null
  const [list, setList] = useState<RecipientList | null>(null)
  const [existing, setExisting] = useState<Existing>('UPDATE')
  const recipients = list?.recipients ?? []
  const known = useKnown(recipients)
  const { failure, done, result, start } = useImport(path)
  const begin = (): Promise<void> =>
    start((signal, onProgress) => {
      const found = known.contacts ?? new Map()
      return storeContacts(recipients, { known: found, existing, group, signal, onProgress })
    })
  const shown = failure ?? known.failure
  return (
    <Drawer
      title={group === null ? 'Import contacts' : 'Import contacts into this group'}
      isOpen
      onClose={onClose}
    >
      {shown === null ? null : <FaultNotice {...shown} />}
      {result !== null ? (
        <ImportResult result={result} faults={list?.faults ?? []} onClose={onClose} />
      ) : done !== null ? (
        <Running done={done} all={recipients.length} onStop={onClose} />
      ) : (
        <div className="stack">
          <RecipientListInput list={list} onChange={setList} noun="contact" />
          <ExistingChoice
            count={known.contacts?.size ?? 0}
            isGroup={group !== null}
            value={existing}
            onChange={setExisting}
          />
          <div className="dialog-foot form-foot">
            <Button onPress={onClose}>Cancel</Button>
            <Button
              look="primary"
              isDisabled={recipients.length === 0 || known.contacts === null}
              onPress={() => void begin()}
            >
              {recipients.length === 0
                ? 'Import contacts'
                : `Import ${countText(recipients.length, 'contact')}`}
            </Button>
          </div>
        </div>
      )}
    </Drawer>
  )
}

interface RunningProps {
  readonly done: number
  readonly all: number
  readonly onStop: () => void
}

function Running({ done, all, onStop }: RunningProps): ReactNode {
  return (
    <div className="stack">
      <TaskProgress label="Contacts stored" done={done} all={all} />
      <div className="dialog-foot form-foot">
        <Button onPress={onStop}>Stop</Button>
      </div>
    </div>
  )
}

interface Known {
  /** Null as long as they are unknown. */
  readonly contacts: KnownContacts | null
  readonly failure: Failure | null
}

/** Finds the contacts that have a number of a list. A key that may not read them makes new ones. */
function useKnown(recipients: readonly Recipient[]): Known {
  const addresses = recipients.map(({ address }) => address)
  const mayRead = usePermission(useCollection('contacts')?.scopes.list)
  const { data, error } = useQuery({
    queryKey: ['known-contacts', addresses],
    queryFn: ({ signal }) => findContacts(addresses, signal),
    enabled: mayRead && addresses.length > 0,
    gcTime: 0,
  })
  return {
    contacts: mayRead ? (data ?? null) : new Map(),
    failure: error === null ? null : explain(error),
  }
}

interface Import {
  readonly failure: Failure | null
  /** How many lines are stored; null if no import runs. */
  readonly done: number | null
  readonly result: StoreResult | null
  readonly start: (work: ImportWork) => Promise<void>
}

type ImportWork = (signal: AbortSignal, onProgress: (done: number) => void) => Promise<StoreResult>

/** Runs an import until its end, or until its drawer closes. */
function useImport(path: readonly string[]): Import {
  const queries = useQueryClient()
  const [failure, setFailure] = useState<Failure | null>(null)
  const [done, setDone] = useState<number | null>(null)
  const [result, setResult] = useState<StoreResult | null>(null)
  const ended = useRef<AbortController | null>(null)
  useEffect(() => () => ended.current?.abort(), [])
  const start = async (work: ImportWork): Promise<void> => {
    ended.current = new AbortController()
    setFailure(null)
    setDone(0)
    try {
      setResult(await work(ended.current.signal, setDone))
    } catch (error) {
      const failed = explain(error)
      const hint = 'Import the list again: contacts that were stored are found by their number.'
      setFailure({ ...failed, detail: `${failed.detail} ${hint}` })
      setDone(null)
      void queries.invalidateQueries({ queryKey: ['known-contacts'] })
    }
    void queries.invalidateQueries({ queryKey: ['list', path.join('/')] })
  }
  return { failure, done, result, start }
}

import type { ReactNode } from 'react'
import type { Instance } from '../api/client.ts'
import type { FieldDescription } from '../api/field.ts'
import { Identifier } from '../ui/copy.tsx'
import { leavesOf, shownTitle, valueAt } from './columns.ts'
import { Value } from './value.tsx'

interface Props {
  readonly fields: readonly FieldDescription[]
  readonly instance: Instance
  /** Fields that are shown elsewhere. */
  readonly without?: readonly string[]
}

/** The fields of an instance with their values. The declaration's texts explain them on hover. */
export function Facts({ fields, instance, without = [] }: Props): ReactNode {
  const leaves = leavesOf(fields).filter(({ path }) => !without.includes(path.split('.')[0] ?? ''))
  return (
    <dl className="facts">
      {leaves.map(({ path, field }) => (
        <div key={path}>
          <dt title={field.description}>{shownTitle(path)}</dt>
          <dd>
            {path === 'id' ? (
              <Identifier value={instance.id} />
            ) : (
              <Value field={field} value={valueAt(instance, path)} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Panel } from '../../ui/panel.tsx'
import { carrierStatesQuery } from './states.ts'

const numbers = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })

/** The carriers with their states and rates. */
export function CarrierStates(): ReactNode {
  const { data } = useQuery(carrierStatesQuery)
  if (data === undefined) return null
  return (
    <Panel title="Carriers" aside={<Link to="/carriers">All carriers</Link>}>
      <ul className="lines">
        {data.items.map(({ id, name, active, state, partsPerSecond, inFlight }) => (
          <li key={id} className="row">
            <Link className="grow" to={`/carriers/${id}`}>
              {name ?? id}
            </Link>
            <span className="muted">
              {numbers.format(partsPerSecond)} parts/s, {numbers.format(inFlight)} in flight
            </span>
            <Badge state={active ? state : 'STOPPED'} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

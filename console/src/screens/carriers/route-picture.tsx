import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { PrefixRoutes, Share } from './routing.ts'

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 })

/** The routes as a picture: from prefix to carriers, with weights and fail-over. */
export function RoutePicture({ routes }: { routes: readonly PrefixRoutes[] }): ReactNode {
  return (
    <Panel title="Routes" aside={<span className="muted">The longest prefix decides</span>}>
      <ul className="lines">
        {routes.map(({ prefix, shares }) => (
          <li key={prefix} className="route">
            <code className="prefix">{prefix === '' ? 'all' : prefix}</code>
            <Icon name="arrow" />
            <ul className="shares">
              {shares.map((share) => (
                <Bar key={`${share.carrier.id} ${share.priority}`} {...share} />
              ))}
            </ul>
          </li>
        ))}
        <li className="route muted">
          <code className="prefix">others</code>
          <Icon name="arrow" />
          <span>the simulator, if it is active</span>
        </li>
      </ul>
    </Panel>
  )
}

function Bar({ carrier, share, priority, isUsed }: Share): ReactNode {
  return (
    <li className={isUsed ? 'share used' : 'share'} style={{ flexGrow: isUsed ? share : 0 }}>
      <Link to={`/carriers/${carrier.id}`}>{carrier.name ?? carrier.id}</Link>
      <span className="muted">
        {isUsed ? percent.format(share) : `fail-over, priority ${priority}`}
      </span>
      {carrier.state === 'BOUND' ? null : <Badge state={carrier.state} />}
    </li>
  )
}

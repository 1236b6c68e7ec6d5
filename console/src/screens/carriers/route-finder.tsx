import { useState, type ReactNode } from 'react'
import { stateText } from '../../ui/badge.tsx'
import { routesOf, type PrefixRoutes } from './routing.ts'

/** Answers where a message to a number would go, and why. */
export function RouteFinder({ routes }: { routes: readonly PrefixRoutes[] }): ReactNode {
  const [address, setAddress] = useState('')
  return (
    <section className="panel panel-body stack">
      <div className="field">
        <label htmlFor="route-address">Where would a message go?</label>
        <input
          id="route-address"
          className="input finder"
          inputMode="tel"
          autoComplete="off"
          placeholder="+4915112345678"
          value={address}
          onChange={({ target }) => setAddress(target.value)}
        />
      </div>
      <p role="status" className={address === '' ? 'muted' : ''}>
        {address === '' ? 'Enter a recipient.' : explainRoute(address, routes)}
      </p>
    </section>
  )
}

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 })

function explainRoute(address: string, routes: readonly PrefixRoutes[]): string {
  const found = routesOf(address, routes)
  if (found === null) return 'No route matches: the simulator takes it.'
  const prefix = found.prefix === '' ? 'The route for all recipients' : `Prefix ${found.prefix}`
  const used = found.shares.filter(({ isUsed }) => isUsed)
  if (used.length === 0) {
    const states = found.shares.map(
      ({ carrier }) => `${carrier.name ?? carrier.id} is ${stateText(carrier.state).toLowerCase()}`,
    )
    return `${prefix}: no carrier is available, so it waits. ${states.join(', ')}.`
  }
  const chosen = used.map(
    ({ carrier, share }) => `${carrier.name ?? carrier.id} (${percent.format(share)})`,
  )
  const later = found.shares.filter(({ isUsed }) => !isUsed)
  const rest =
    later.length === 0
      ? ''
      : ` If that fails: ${later.map(({ carrier }) => carrier.name ?? carrier.id).join(', then ')}.`
  return `${prefix}: ${chosen.join(' or ')}.${rest}`
}

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { client } from '../../api/client.ts'
import { explain } from '../../api/problem.ts'
import { useCollection } from '../../api/queries.ts'
import { usePermission } from '../../api/use-session.ts'
import { CreateDrawer } from '../../collections/form/create-drawer.tsx'
import { PageHead } from '../../collections/page-head.tsx'
import { useOpened } from '../../collections/use-opened.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { FaultNotice, Skeleton } from '../../ui/notice.tsx'
import { Time } from '../../ui/time.tsx'
import { responseTimeText } from './response-time.ts'
import { RouteFinder } from './route-finder.tsx'
import { RoutePicture } from './route-picture.tsx'
import { routesByPrefix } from './routing.ts'

/** How often the states are read while they are shown. */
const pollMs = 3000
/** More carriers than an installation has. */
const carriersMax = 200

type Carriers = Awaited<ReturnType<typeof client.carriers.list>>['items']

/** All carriers: their live state, and which recipients go where. */
export function CarriersScreen(): ReactNode {
  const collection = useCollection('carriers')
  const mayCreate = usePermission(collection?.scopes.create)
  const [isOpen, setOpen] = useOpened('create')
  const { data, error } = useQuery({
    queryKey: ['list', 'carriers', 'all'],
    queryFn: ({ signal }) => client.carriers.list({ pageSize: carriersMax }, { signal }),
    refetchInterval: pollMs,
  })
  if (collection === null) return null
  const carriers = data?.items ?? []
  const routes = routesByPrefix(carriers)
  return (
    <div className="page">
      <PageHead title="Carriers" note={collection.description}>
        {mayCreate ? (
          <Button look="primary" icon="plus" onPress={() => setOpen(true)}>
            Create carrier
          </Button>
        ) : null}
      </PageHead>
      <div className="stack scroll">
        {error === null ? null : <FaultNotice {...explain(error)} />}
        {data === undefined && error === null ? <Skeleton lines={6} /> : null}
        <CarrierCards carriers={carriers} />
        <RouteFinder routes={routes} />
        <RoutePicture routes={routes} />
      </div>
      <CreateDrawer
        collection={collection}
        path={['carriers']}
        isOpen={isOpen && mayCreate}
        onClose={() => setOpen(false)}
      />
    </div>
  )
}

const numbers = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })

function CarrierCards({ carriers }: { carriers: Carriers }): ReactNode {
  return (
    <ul className="cards">
      {carriers.map((carrier) => (
        <li key={carrier.id} className="panel">
          <header>
            <Link to={`/carriers/${carrier.id}`} className="card-title">
              {carrier.name ?? carrier.id}
            </Link>
            <Badge state={carrier.active ? carrier.state : 'STOPPED'} />
          </header>
          <CarrierFigures carrier={carrier} />
          {carrier.stateReason === null ? null : (
            <p className="panel-body reason">{carrier.stateReason}</p>
          )}
          {carrier.lastError === null ? null : (
            <p className="panel-body reason">
              {carrier.lastError.detail}{' '}
              <span className="muted">
                <Time value={carrier.lastError.at} />
              </span>
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}

function CarrierFigures({ carrier }: { carrier: Carriers[number] }): ReactNode {
  return (
    <dl className="figures panel-body">
      <div>
        <dt>Parts per second</dt>
        <dd>{numbers.format(carrier.partsPerSecond)}</dd>
      </div>
      <div>
        <dt>In flight</dt>
        <dd>
          {numbers.format(carrier.inFlight)} <Window settings={carrier.settings} />
        </dd>
      </div>
      <div>
        <dt>Waiting</dt>
        <dd>{carrier.waitingMessages === null ? '–' : numbers.format(carrier.waitingMessages)}</dd>
      </div>
      <div>
        <dt>Response time</dt>
        <dd>{responseTimeText(carrier)}</dd>
      </div>
      <div>
        <dt>Type</dt>
        <dd className="calm">{carrier.type}</dd>
      </div>
    </dl>
  )
}

/** The parts that the carrier takes at the same time, if its type has such a limit. */
function Window({ settings }: { settings: object }): ReactNode {
  const window: unknown = Reflect.get(settings, 'window')
  return typeof window === 'number' ? (
    <span className="muted small">of {numbers.format(window)}</span>
  ) : null
}

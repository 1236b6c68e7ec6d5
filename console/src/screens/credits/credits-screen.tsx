import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, type ReactNode } from 'react'
import { collectionAt } from '../../api/client.ts'
import { useCollection } from '../../api/queries.ts'
import { CollectionList } from '../../collections/list/list.tsx'
import { PageHead } from '../../collections/page-head.tsx'
import { Empty } from '../../ui/notice.tsx'
import { countText } from '../../ui/numbers.ts'
import { Panel } from '../../ui/panel.tsx'

const Chart = lazy(async () => {
  const { Chart } = await import('../../ui/chart.tsx')
  return { default: Chart }
})

const columns = ['createdAt', 'kind', 'amount', 'balance', 'messageId', 'note']

/** Entries in the chart: one request of the largest page. */
const entriesMax = 1000

/** The ledger of the account: the balance over time, and each entry. */
export function CreditsScreen(): ReactNode {
  const collection = useCollection('credits')
  if (collection === null) return null
  const empty = (
    <Empty icon="credits" title="No credit movements yet">
      The account pays nothing until it has a balance and prices exist. An administrator adds
      credits on the account’s page.
    </Empty>
  )
  return (
    <div className="page">
      <PageHead title="Credits" note="The sum of all entries is the balance." />
      <Balance />
      <CollectionList collection={collection} path={['credits']} columns={columns} empty={empty} />
    </div>
  )
}

function Balance(): ReactNode {
  const { data } = useQuery({
    queryKey: ['page', 'credits', 'chart'],
    queryFn: ({ signal }) =>
      collectionAt(['credits']).list(
        { pageSize: entriesMax, sort: ['createdAt_desc'] },
        { signal },
      ),
    refetchInterval: 15_000,
  })
  const shown = useMemo(() => {
    const entries = (data?.items ?? []).toReversed()
    const values = entries.map(({ balance }) => Number(balance))
    const times = entries.map(({ createdAt }) => Date.parse(String(createdAt)) / 1000)
    return { times, series: [{ label: 'Balance', colour: '--accent', values }] }
  }, [data])
  const last = shown.series[0]?.values.at(-1)
  if (last === undefined) return null
  return (
    <Panel title="Balance" aside={<strong>{countText(last, 'credit')}</strong>}>
      <div className="panel-body chart-place">
        <Suspense>
          <Chart label="Balance over time" look="lines" {...shown} />
        </Suspense>
      </div>
    </Panel>
  )
}

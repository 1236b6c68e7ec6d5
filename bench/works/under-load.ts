import { type Outcome, row } from '../outcome.ts'
import { loadFrom, memoryOf } from '../processes.ts'
import { nuncio } from '../subjects/nuncio.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The most memory while 64 connections post, then list, then get, over a store that began empty. */
export async function underLoad(plan: {
  readonly rounds: number
  readonly seconds: number
}): Promise<Outcome[]> {
  const values: number[] = []
  for (let round = 0; round < plan.rounds; round += 1) {
    using folder = temporaryFolder()
    await nuncio.prepare(folder.path, 200)
    await using service = await nuncio.launch(folder.path, 200)
    for (const work of ['post', 'list', 'get'] as const) {
      const request = await service.request(work)
      if (request === null) continue
      const { port } = service
      await loadFrom({ port, request, connections: 64, seconds: plan.seconds })
    }
    values.push(memoryOf(service.pid)?.most ?? 0)
  }
  return [
    {
      work: 'memory-load',
      title: `Most memory under load (POST, list, GET, 64 connections, ${plan.seconds} s each)`,
      unit: 'MB',
      isLessBetter: true,
      rows: [row('Nuncio', 'ours', values)],
      notes: [],
    },
  ]
}

import { collectionAt } from '../collections/any-collection.ts'
import { openClient, type ServiceAccess } from '../client.ts'
import { failureText } from '../failure-text.ts'
import { printable } from '../printable.ts'
import type { ProcessContext } from '../process-context.ts'
import { defaultAccount } from '../../core/account.ts'
import type { JsonObject } from '../../core/json.ts'
import { ok, problem, skipped, warning, type CheckName, type Finding } from './finding.ts'

/** Instances of one list; more failing ones say nothing new. */
const pageSize = ['100']

/** The findings about instances, if no key reads them. */
export const withoutKey: readonly Finding[] = (['carriers', 'webhooks'] as const).map((check) =>
  skipped(check, 'They need a key that works.'),
)

/** Checks the key, then carriers and webhooks through the API. */
export async function checkInstances(
  access: ServiceAccess,
  context: ProcessContext,
): Promise<readonly Finding[]> {
  const client = await openClient(access, context)
  const list: List = async (path, where) =>
    (await collectionAt(client, path).list({ where: { ...where, pageSize } })).items

  const key = await listed('key', access, async () => {
    await list('keys', { pageSize: ['1'] })
    return [ok('key', 'The service accepts it.')]
  })
  if (key.some(({ result }) => result === 'PROBLEM')) return [...key, ...withoutKey]
  const carriers = listed('carriers', access, async () =>
    carrierFindings(await list('carriers', { active: ['true'] })),
  )
  const webhooks = listed('webhooks', access, async () => {
    const failing: Failing[] = []
    for (const account of await accounts(list)) {
      const where = account === null ? failingStates : { ...failingStates, account: [account] }
      failing.push(...(await list('webhooks', where)).map((webhook) => ({ account, webhook })))
    }
    return webhookFindings(failing)
  })
  return [...key, ...(await carriers), ...(await webhooks)]
}

type List = (
  path: string,
  where: Readonly<Record<string, readonly string[]>>,
) => Promise<readonly JsonObject[]>

/** A webhook that fails, and its account if it is not that of the key. */
interface Failing {
  readonly account: string | null
  readonly webhook: JsonObject
}

const failingStates = { active: ['true'], state: ['RETRYING', 'DISABLED'] }

/** Returns the accounts that the key can read, the first hundred; null stands for its own. */
async function accounts(list: List): Promise<readonly (string | null)[]> {
  const { NuncioProblem } = await import('@nuncio/client')
  try {
    return (await list('accounts', { active: ['true'] })).map(({ id }) => String(id))
  } catch (error) {
    if (error instanceof NuncioProblem && error.status === 403) return [null]
    throw error
  }
}

/** Runs a check. A key without the permission for it is no problem of the service. */
async function listed(
  check: CheckName,
  { url }: ServiceAccess,
  work: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const { NuncioProblem } = await import('@nuncio/client')
  try {
    return await work()
  } catch (error) {
    if (error instanceof NuncioProblem && error.status === 403) {
      if (check === 'key') return [ok('key', 'The service accepts it.')]
      const remedy = 'Use the key of an administrator.'
      return [warning(check, `The key may not read ${check}.`, remedy)]
    }
    const text = await failureText(error, url)
    if (text === null) throw error
    return [problem(check, text.replaceAll(/\s*\n\s*/g, ' '), null)]
  }
}

function carrierFindings(carriers: readonly JsonObject[]): readonly Finding[] {
  const findings = carriers.flatMap(({ id, state, stateReason }) => {
    const name = printable(String(id))
    const detail = `${name} is ${printable(String(state))}${reasonText(stateReason)}.`
    const change = `Correct its settings: nuncio carriers change ${name}`
    if (state === 'DOWN') return [problem('carriers', detail, change)]
    return state === 'CONNECTING' ? [warning('carriers', detail, 'Wait, or read the log.')] : []
  })
  if (findings.length > 0) return findings
  if (carriers.length > 0) return [ok('carriers', `${carriers.length} active, none is down.`)]
  return [warning('carriers', 'None is active.', 'Create one: nuncio carriers add <provider>')]
}

function webhookFindings(failing: readonly Failing[]): readonly Finding[] {
  if (failing.length === 0) return [ok('webhooks', 'None is failing.')]
  return failing.map(({ account, webhook: { id, state, stateReason, lag } }) => {
    const name = printable(String(id))
    const owner = account === null ? '' : ` of the account ${printable(account)}`
    const waiting = `${String(lag)} undelivered`
    return problem(
      'webhooks',
      `${name}${owner} is ${printable(String(state))}${reasonText(stateReason)}; ${waiting}.`,
      state === 'DISABLED' ? activation(name, account) : responses(name, account),
    )
  })
}

/** An administrator reads in every account, and writes in its own alone. */
function activation(webhook: string, account: string | null): string {
  const isOwn = account === null || account === defaultAccount
  const key = isOwn ? '' : ` --key <a key of the account ${printable(account)}>`
  return `Correct its receiver, then: nuncio webhooks change ${webhook} --active true${key}`
}

function responses(webhook: string, account: string | null): string {
  const chosen = account === null ? '' : ` --account ${printable(account)}`
  const command = `nuncio webhooks/${webhook}/deliveries list${chosen} --sort date_desc`
  return `Correct its receiver; "${command}" has its responses.`
}

function reasonText(reason: unknown): string {
  return typeof reason === 'string' ? `: ${printable(reason).replace(/\.$/, '')}` : ''
}

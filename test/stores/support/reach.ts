import type { Client } from 'pg'

/** A node of a plan, as PostgreSQL writes it. */
interface PlanNode {
  readonly 'Relation Name'?: string
  readonly Alias?: string
  readonly Plans?: readonly PlanNode[]
  readonly [name: string]: unknown
}

const conditions = [
  'Index Cond',
  'Recheck Cond',
  'Filter',
  'Hash Cond',
  'Join Filter',
  'Merge Cond',
]

/**
 * The tables of which a statement reads rows without naming cell and account, by the plan that it has whatever its
 * parameters are. `isOwned` tells the tables in which rows belong to accounts.
 */
export async function tablesBeyondAccount(
  client: Client,
  text: string,
  isOwned: (table: string) => boolean,
): Promise<readonly string[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
    `explain (generic_plan, verbose, costs off, format json) ${text}`,
  )
  const root = rows[0]?.['QUERY PLAN'][0]?.Plan
  if (root === undefined) throw new Error(`there is no plan of ${text}`)
  const nodes = allOf(root)
  const all = nodes.flatMap(conditionsOf).join('\n')
  return nodes
    .filter((node) => !String(node['Node Type']).startsWith('ModifyTable'))
    .filter((node) => isOwned(node['Relation Name'] ?? ''))
    .filter(({ Alias = '' }) => !saysAccount(all, Alias))
    .map((node) => node['Relation Name'] ?? '')
}

/** Whether conditions hold the cell and the account of a table to values. */
function saysAccount(all: string, alias: string): boolean {
  return ['cell', 'account'].every((column) => {
    const name = `(?:"${escaped(alias)}"|${escaped(alias)})\\.${column}`
    return new RegExp(`${name} = |= ${name}\\b|ROW\\([^)]*${name}`).test(all)
  })
}

function escaped(text: string): string {
  return text.replace(/[^\w]/g, '\\$&')
}

function conditionsOf(node: PlanNode): readonly string[] {
  return conditions.map((name) => String(node[name] ?? ''))
}

function allOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(allOf)]
}

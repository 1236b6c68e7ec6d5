import { accountFetch } from './viewed-account.ts'

/** Reads a list as CSV. Throws an error with the service's explanation. */
export async function readCsv(path: readonly string[], query: string): Promise<Blob> {
  const address = path.map(encodeURIComponent).join('/')
  const response = await accountFetch(`/v1/${address}${query}`, { headers: { accept: 'text/csv' } })
  if (response.ok) return response.blob()
  const problem: { readonly detail?: string } = await response.json()
  throw new Error(problem.detail ?? `The service refused the export (${response.status}).`)
}

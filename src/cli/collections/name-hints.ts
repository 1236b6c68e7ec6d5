import { didYouMean } from '../../core/declaration/nearest.ts'
import { printable } from '../printable.ts'
import { collectionNames, listParameters, readApiDocument } from './api-document.ts'
import type { CollectionCall } from './any-collection.ts'

/** The fault of a parameter that the service does not know; any other is about the value. */
const unknownDetail = 'is not a field'

/** Runs work; if the service does not know a name, adds the nearest known one to the refusal. */
export async function withHint(call: CollectionCall, work: () => Promise<number>): Promise<number> {
  const { NuncioProblem } = await import('@nuncio/client')
  try {
    return await work()
  } catch (error) {
    if (error instanceof NuncioProblem) await writeHint(call, error)
    throw error
  }
}

async function writeHint(
  { name, access, given, context }: CollectionCall,
  { status, errors }: { readonly status: number; readonly errors: readonly object[] },
): Promise<void> {
  const parameters = errors.flatMap((fault) =>
    'parameter' in fault && 'detail' in fault && fault.detail === unknownDetail
      ? [String(fault.parameter)]
      : [],
  )
  if (status !== 404 && (status !== 400 || parameters.length === 0)) return
  const document = await readApiDocument(access, context).catch(() => null)
  if (document === null) return

  const known = listParameters(document, name)
  const hints =
    status === 404
      ? [collectionHint(name, collectionNames(document))]
      : parameters
          .filter((each) => given.fields.some(([field]) => field === each))
          .filter((each) => !known.includes(each))
          .map((each) => flagHint(each, known))
  for (const hint of hints) if (hint !== '') context.err.write(`${printable(hint)}\n`)
}

function collectionHint(name: string, known: readonly string[]): string {
  const [first = ''] = name.split('/')
  if (known.includes(first)) return ''
  return `The service has no collection ${first}.${didYouMean(first, known)}`
}

function flagHint(name: string, known: readonly string[]): string {
  const meant = didYouMean(
    `--${name}`,
    known.map((each) => `--${each}`),
  )
  return meant === '' ? '' : `The flag --${name} is unknown.${meant}`
}

import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts'
import { networkReason } from '../failure-text.ts'
import type { ProcessContext } from '../process-context.ts'

/** The input of a file, or why it cannot be read. */
export type FileInput =
  { readonly ok: true; readonly input: JsonObject } | { readonly ok: false; readonly fault: string }

/** Reads a JSON object from a file, or from standard input for the name `-`. */
export async function readInput(
  file: string,
  context: Pick<ProcessContext, 'cwd' | 'readInput'>,
): Promise<FileInput> {
  try {
    const value: JsonValue = JSON.parse(await textOf(file, context))
    if (isJsonObject(value)) return { ok: true, input: value }
    return { ok: false, fault: '--file must have one JSON object.' }
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'it is not JSON' : networkReason(error)
    return { ok: false, fault: `--file cannot be read: ${reason}.` }
  }
}

async function textOf(
  file: string,
  { cwd, readInput }: Pick<ProcessContext, 'cwd' | 'readInput'>,
): Promise<string> {
  if (file === '-') return readInput()
  const { readFile } = process.getBuiltinModule('node:fs/promises')
  const { resolve } = process.getBuiltinModule('node:path')
  return readFile(resolve(cwd, file), 'utf8')
}

import { format, resolveConfig } from 'prettier'

/** Returns a JSON schema as the formatter writes its file, so that a generated row changes no other line. */
export async function schemaText(schema: object, file: string): Promise<string> {
  const style = await resolveConfig(file)
  return format(JSON.stringify(schema), { ...style, objectWrap: 'collapse', filepath: file })
}

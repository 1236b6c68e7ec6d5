import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { separate } from './code-lines.ts'
import { projectFiles } from './project-files.ts'

/** The phrases to avoid, from the writing rules: each is matched as a whole word, in any case. */
export const phrases: readonly string[] = [
  'who(m)?ever',
  'what (is|are|was|were)',
  'of which',
  'told',
  'tells?',
  'kept',
  'so (many|much|long|often)',
  'no more(?! than)',
  'any ?more(?! than)',
  'nobody',
  '(is|are|was|were) there',
  'bec[oa]mes? of',
  'just now',
  'all the same',
  '(write|writes|wrote|written) (it |them )?down',
  'stands?|stood',
  'beside',
  'behind',
  'go(es|ing)? on',
  'go(es)? by',
  'hand(s|ed|ing)?[ -]over',
  '(give|gives|given|gave) back',
  'call(s|ed)? (it )?off',
  'puts? off',
  'lets? go',
  'anew',
  'surely',
  'whatever|wherever',
  'where (it|there|none|no|nothing|nobody)',
  'fares?',
  'mend(s|ed)?',
  'meanwhile',
  'at once',
  'set aside',
  'of (its|their|his|your|our) own',
  'ours',
  'heard',
]

/** The findings of the prose check in one file. */
export interface ProseFindings {
  readonly file: string
  readonly words: number
  readonly docComments: number
  readonly phrases: readonly string[]
  /** Doc comments that open with a word other than a verb or a noun. */
  readonly openings: readonly string[]
  /** Log events of more than six words. */
  readonly longEvents: readonly string[]
}

/** Checks comments, texts and documents of the tree at `root`. */
export function checkProse(root: string): readonly ProseFindings[] {
  const pattern = /^((src|packages)\/.*\.(ts|md)|docs\/.*\.md|[A-Z]+\.md)$/
  return projectFiles(root, pattern).map((file) =>
    checkFile(file, readFileSync(join(root, file), 'utf8')),
  )
}

const weakOpening = /^(What|How|Whether|Where|So|Those|Who)\b/

function checkFile(file: string, text: string): ProseFindings {
  const isCode = file.endsWith('.ts')
  const { code, comments } = isCode ? separate(text) : { code: [], comments: [] }
  const docs = comments.filter(({ isDoc }) => isDoc).map(({ text: comment }) => comment)
  const prose = isCode
    ? [...comments.map(({ text: comment }) => comment), ...texts(code)].join('\n')
    : text.replace(/^\s*(```|~~~)[^]*?^\s*\1/gm, '').replace(/([^\n])\n(?=[^\n])/g, '$1 ')
  return {
    file,
    words: prose.split(/\s+/).length,
    docComments: docs.length,
    phrases: phrases.flatMap((phrase) =>
      [...prose.matchAll(new RegExp(`\\b(?:${phrase})\\b`, 'gi'))].map(([hit]) =>
        hit.toLowerCase(),
      ),
    ),
    openings: docs.map((doc) => weakOpening.exec(doc)?.[0] ?? '').filter((word) => word !== ''),
    longEvents: isCode ? logEvents(code).filter((event) => event.split(' ').length > 6) : [],
  }
}

/** Returns the text literals that contain a space: problem details, log events, CLI texts. */
function texts(code: readonly string[]): readonly string[] {
  return code.flatMap((line) =>
    [...line.matchAll(/'([^'\\]* [^'\\]*)'|"([^"\\]* [^"\\]*)"|`([^`]* [^`]*)`/g)].map(
      ([, single, double, template]) => single ?? double ?? template ?? '',
    ),
  )
}

function logEvents(code: readonly string[]): readonly string[] {
  const call = /\b(?:log|events?)\(\s*'(?:trace|debug|info|warn|error|fatal)',\s*'([^']*)'/g
  return [...code.join('\n').matchAll(call)].map(([, event = '']) => event)
}

import type { Mutation } from './mutation.ts'
import { isNode, type Node, nodesOf } from './syntax.ts'

/** A kind of change: what it makes of a node, as texts in place of a range. */
type Operator = (node: Node, source: string) => readonly Change[]

type Change = Pick<Mutation, 'start' | 'end' | 'text'>

const boundaries: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }
const opposites: Readonly<Record<string, string>> = { '===': '!==', '!==': '===' }

/** The kinds of changes that are made anywhere in the source. */
const operators: Readonly<Record<string, Operator>> = {
  'dropped await': (node, source) => {
    const { expression } = node
    if (node.type !== 'ExpressionStatement' || !isNode(expression)) return []
    if (expression.type !== 'AwaitExpression') return []
    return [{ start: expression.range[0], end: startOf(expression, 'argument', source), text: '' }]
  },
  'removed call': (node, source) => {
    const { expression } = node
    if (node.type !== 'ExpressionStatement' || !isNode(expression)) return []
    const call = expression.type === 'AwaitExpression' ? expression['argument'] : expression
    if (!isNode(call) || call.type !== 'CallExpression') return []
    return isNoise(textOf(call, source)) ? [] : [replaced(node, ';')]
  },
  'removed assignment': (node) => {
    const { expression } = node
    if (node.type !== 'ExpressionStatement' || !isNode(expression)) return []
    return /^(Assignment|Update)Expression$/.test(expression.type) ? [replaced(node, ';')] : []
  },
  'removed if': (node) => {
    const { test, alternate } = node
    if (node.type !== 'IfStatement' || !isNode(test) || isNode(alternate)) return []
    return [replaced(test, 'false')]
  },
  'moved boundary': (node, source) => operatorChanged(node, source, boundaries),
  'opposite comparison': (node, source) => operatorChanged(node, source, opposites),
  'one condition less': (node, source) => {
    const { left, right } = node
    if (node.type !== 'LogicalExpression' || node['operator'] === '??') return []
    if (!isNode(left) || !isNode(right)) return []
    return [replaced(node, textOf(left, source)), replaced(node, textOf(right, source))]
  },
  'one branch always': (node, source) => {
    const { consequent, alternate } = node
    if (node.type !== 'ConditionalExpression' || !isNode(consequent) || !isNode(alternate))
      return []
    return [
      replaced(node, `(${textOf(consequent, source)})`),
      replaced(node, `(${textOf(alternate, source)})`),
    ]
  },
  'other result': (node, source) => {
    const { argument } = node
    if (node.type !== 'ReturnStatement' || !isNode(argument)) return []
    const text = textOf(argument, source)
    return text === 'true' || text === 'false' ? [replaced(argument, String(text !== 'true'))] : []
  },
  'other extreme': (node) => {
    const { object, property } = node
    if (node.type !== 'MemberExpression' || !isNode(object) || !isNode(property)) return []
    if (object['name'] !== 'Math') return []
    const other = { min: 'max', max: 'min' }[String(property['name'])]
    return other === undefined ? [] : [replaced(property, other)]
  },
  'one more or less': (node, source) => {
    const { left, right, operator } = node
    if (node.type !== 'BinaryExpression' || !isNode(left) || !isNode(right)) return []
    if ((operator !== '+' && operator !== '-') || typeof right['value'] !== 'number') return []
    return [replaced(node, textOf(left, source))]
  },
  'lost account': (node, source) =>
    inTexts(node, source, /\baccount = \?/g, 'cast(? as text) is not null'),
  'moved boundary in SQL': (node, source) => [
    ...inTexts(node, source, /(?<= )<=(?= \?)/g, '<'),
    ...inTexts(node, source, /(?<= )<(?= \?)/g, '<='),
    ...inTexts(node, source, /(?<= )>(?= \?)/g, '>='),
    ...inTexts(node, source, /(?<= )>=(?= \?)/g, '>'),
  ],
  'lost condition in SQL': (node, source) =>
    inTexts(node, source, / and (?!account)[a-z_]+ = (\?|\d)(?![^`']*\bset\b)/g, (found) =>
      found.endsWith('?') ? ' and cast(? as text) is not null' : '',
    ),
}

/** Every change that the operators make of a source. */
export function mutationsOf(file: string, source: string): readonly Mutation[] {
  return nodesOf(source).flatMap((node) =>
    Object.entries(operators).flatMap(([kind, operator]) =>
      operator(node, source)
        .filter(({ start, end, text }) => source.slice(start, end) !== text)
        .map((change) => ({ file, ...change, kind, about: kind })),
    ),
  )
}

function replaced(node: Node, text: string): Change {
  return { start: node.range[0], end: node.range[1], text }
}

function textOf(node: Node, source: string): string {
  return source.slice(...node.range)
}

/** Where a child begins, the brackets around it included. */
function startOf(node: Node, child: string, source: string): number {
  const inner = node[child]
  if (!isNode(inner)) throw new Error(`a ${node.type} has no ${child}`)
  return node.range[0] + (/^await\s+/.exec(textOf(node, source))?.[0].length ?? 0)
}

/** What only says what happens: no test needs to hear of it. */
function isNoise(call: string): boolean {
  return /^(this\.)?#?(log|logger|console)\b|\blog\.(debug|info|warn|error)\(/.test(call)
}

function operatorChanged(
  node: Node,
  source: string,
  others: Readonly<Record<string, string>>,
): readonly Change[] {
  const { left, right, operator } = node
  if (node.type !== 'BinaryExpression' || !isNode(left) || !isNode(right)) return []
  const other = others[String(operator)]
  if (other === undefined) return []
  const start = source.indexOf(String(operator), left.range[1])
  return [{ start, end: start + String(operator).length, text: other }]
}

/** Changes within a text of the source, or a piece of a template. */
function inTexts(
  node: Node,
  source: string,
  pattern: RegExp,
  text: string | ((found: string) => string),
): readonly Change[] {
  const isText = node.type === 'TemplateElement' || typeof node['value'] === 'string'
  if (!isText) return []
  return [...textOf(node, source).matchAll(pattern)].map(({ 0: found, index }) => {
    const start = node.range[0] + index
    return {
      start,
      end: start + found.length,
      text: typeof text === 'string' ? text : text(found),
    }
  })
}

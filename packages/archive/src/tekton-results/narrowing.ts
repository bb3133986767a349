import type { ASTNode } from '@marcbachmann/cel-js'
import type { Selection } from '../store/store'
import type { View } from './views'

/** The part of a filter that an index can answer; the rest is checked on each row. */
export interface Narrowing extends Pick<Selection, 'uid' | 'name' | 'resultUid' | 'createdAfterMs' | 'namespace'> {
  dataTypes?: string[]
  labels: { key: string; values: string[] }[]
  /** Conditions not fully covered by the other fields. */
  rest: ASTNode[]
}

/** Extracts common conditions from the conjunction of a filter. */
export function narrow(filter: ASTNode, view: View): Narrowing {
  const narrowing: Narrowing = { labels: [], rest: [] }
  for (const condition of conditionsOf(filter)) {
    if (!take(condition, narrowing, view)) narrowing.rest.push(condition)
  }
  return narrowing
}

const conditionsOf = (node: ASTNode): ASTNode[] => (node.op === '&&' ? node.args.flatMap(conditionsOf) : [node])

/** @returns true if the condition is fully covered */
function take(node: ASTNode, into: Narrowing, view: View): boolean {
  if (node.op === '>' || node.op === '>=') return takeCreation(node.args, into)
  if (node.op !== '==' && node.op !== 'in') return false
  const [left, right] = node.args
  const path = pathOf(left)
  const values =
    node.op === '==' ? [textOf(right, view)] : right.op === 'list' ? right.args.map((item) => textOf(item, view)) : []
  const texts = values.filter((value) => value !== undefined)
  if (!path || texts.length === 0 || texts.length !== values.length) return false
  const [root, ...members] = path
  const [only] = texts
  if (root === 'data_type' && members.length === 0) {
    into.dataTypes = into.dataTypes?.filter((type) => texts.includes(type)) ?? texts
    return true
  }
  if (root === 'data' && members[0] === 'metadata' && members[1] === 'labels' && members[2] && members.length === 3) {
    into.labels.push({ key: members[2], values: [...new Set(texts)] })
    return true
  }
  if (only === undefined || texts.length > 1) return false
  const place = places[path.join('.')]
  if (!place || into[place] !== undefined) return false
  into[place] = only
  return true
}

const places: Partial<Record<string, 'uid' | 'name' | 'resultUid' | 'namespace'>> = {
  name: 'uid',
  uid: 'uid',
  result_name: 'resultUid',
  parent: 'namespace',
  'data.metadata.uid': 'uid',
  'data.metadata.name': 'name',
  'data.metadata.namespace': 'namespace',
}

/** Creation times are compared as text, so only a time in the format of objects can be used. */
function takeCreation([left, right]: readonly [ASTNode, ASTNode], into: Narrowing): boolean {
  const text = right.op === 'value' && typeof right.args === 'string' ? right.args : ''
  if (pathOf(left)?.join('.') !== 'data.metadata.creationTimestamp') return false
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(text) || Number.isNaN(Date.parse(text))) return false
  // One second earlier: the condition itself handles equal times.
  into.createdAfterMs = Math.max(into.createdAfterMs ?? -Infinity, Date.parse(text) - 1000)
  return false
}

/** The segments of a path such as `data.metadata.labels["a"]`; `undefined` for other expressions. */
function pathOf(node: ASTNode): string[] | undefined {
  if (node.op === 'id') return [node.args]
  if (node.op === '.') return append(pathOf(node.args[0]), node.args[1])
  if (node.op === '[]' && node.args[1].op === 'value' && typeof node.args[1].args === 'string') {
    return append(pathOf(node.args[0]), node.args[1].args)
  }
  return undefined
}
const append = (path: string[] | undefined, key: string) => (path ? [...path, key] : undefined)

function textOf(node: ASTNode, { constants }: View): string | undefined {
  const value =
    node.op === 'id' && Object.hasOwn(constants, node.args) ? constants[node.args] : node.op === 'value' && node.args
  return typeof value === 'string' ? value : undefined
}

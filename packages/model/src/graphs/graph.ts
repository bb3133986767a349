import type { RunStatusWord } from '../runs/run-status'
import type { Vulnerabilities } from '../runs/task-results'

/** A graph that goes one way: what comes after what. Of the tasks of a run, or of the workflow of an application. */
export interface Graph<N extends GraphNode = GraphNode> {
  /** Each before those that come after it. */
  nodes: N[]
  edges: Edge[]
}

export interface Edge {
  from: string
  to: string
}

export interface GraphNode {
  /** Of its graph, and the same as long as what it stands for is there. */
  id: string
  kind: NodeKind
  label: string
  /** Said in small beside the label: what it is one of, or of what kind. */
  note?: string
  /** Absent for what has none, such as a commit. */
  status?: RunStatusWord
  /** In a few words, beside the status. */
  detail?: string
  startTime?: string | undefined
  endTime?: string | undefined
  /** It has ended, and when is not known: no time passes for it. */
  isEndUnknown?: boolean
  testFailCount?: number
  testWarnCount?: number
  vulnerabilities?: Vulnerabilities
}

export type NodeKind = 'task' | 'finally' | 'commit' | 'component' | 'build' | 'test' | 'release' | 'stage'

/**
 * The same nodes, each before those that come after it, and the edges without those that cannot be: to nodes that
 * are not there, to themselves, twice, or round in a circle. Where there is a circle, the node that was given first
 * comes first.
 */
export function topologicalSort<N extends Pick<GraphNode, 'id'>>(nodes: readonly N[], edges: readonly Edge[]) {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map([...byId.keys()].map((id) => [id, new Set<string>()]))
  const children = new Map([...byId.keys()].map((id) => [id, new Set<string>()]))
  for (const { from, to } of edges) {
    if (from === to || !byId.has(from) || !byId.has(to)) continue
    parents.get(to)?.add(from)
    children.get(from)?.add(to)
  }
  const waiting = new Map([...parents].map(([id, own]) => [id, own.size]))
  const placed = new Set<string>()
  const ready = [...byId.keys()].filter((id) => waiting.get(id) === 0)
  const ids = [...byId.keys()]
  let firstLeft = 0
  for (let next = 0; placed.size < byId.size; next++) {
    if (next === ready.length) {
      // Only circles are left. The first of them goes on without what comes round to it.
      while (placed.has(ids[firstLeft] ?? '')) firstLeft++
      ready.push(ids[firstLeft] ?? '')
    }
    const id = ready[next] ?? ''
    placed.add(id)
    const own = parents.get(id)
    for (const parent of own ?? []) if (!placed.has(parent)) own?.delete(parent)
    for (const child of children.get(id) ?? []) {
      const left = (waiting.get(child) ?? 0) - 1
      waiting.set(child, left)
      if (left === 0 && !placed.has(child)) ready.push(child)
    }
  }
  return {
    nodes: [...placed].flatMap((id) => byId.get(id) ?? []),
    edges: [...placed].flatMap((to) => [...(parents.get(to) ?? [])].map((from) => ({ from, to }))),
  }
}

/** More nodes than this no person draws; to look for shortcuts in nonsense would take too long. */
const maxNodesToReduce = 1_500

/** Without the edges that say no more than others do: who runs after `b`, which runs after `a`, runs after `a` too. */
export function transitiveReduction<N extends GraphNode>({ nodes, edges }: Graph<N>): Graph<N> {
  if (nodes.length > maxNodesToReduce) return { nodes, edges }
  const parents = neighboursOf(edges, 'to', 'from')
  const ancestors = new Map<string, Set<string>>()
  for (const { id } of nodes) {
    const own = new Set<string>()
    for (const parent of parents.get(id) ?? []) {
      own.add(parent)
      for (const each of ancestors.get(parent) ?? []) own.add(each)
    }
    ancestors.set(id, own)
  }
  const isShortcut = ({ from, to }: Edge) =>
    (parents.get(to) ?? []).some((parent) => parent !== from && ancestors.get(parent)?.has(from))
  return { nodes, edges: edges.filter((edge) => !isShortcut(edge)) }
}

/** How many steps from the start each node is, by its id: one more than the furthest of those before it. */
export function ranksOf({ nodes, edges }: Graph): Map<string, number> {
  const parents = neighboursOf(edges, 'to', 'from')
  const levels = new Map<string, number>()
  for (const { id } of nodes) {
    levels.set(
      id,
      (parents.get(id) ?? []).reduce((level, parent) => Math.max(level, (levels.get(parent) ?? -1) + 1), 0),
    )
  }
  return levels
}

/** By its `of` end, the other ends of the edges of each node: `neighboursOf(edges, 'to', 'from')` are the parents. */
export function neighboursOf(edges: readonly Edge[], of: keyof Edge, other: keyof Edge): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const edge of edges) {
    const known = found.get(edge[of])
    if (known) known.push(edge[other])
    else found.set(edge[of], [edge[other]])
  }
  return found
}

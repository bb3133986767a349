/** Directed graphs without cycles, whatever their nodes represent. */
export interface DirectedGraph<N extends Identified> {
  /** In topological order. */
  nodes: N[]
  edges: Edge[]
}

interface Identified {
  /** Unique in the graph. */
  id: string
}

export interface Edge {
  from: string
  to: string
}

/**
 * Sorts the nodes topologically and drops invalid edges: to missing nodes, to the node itself, duplicates, and edges
 * that close a cycle. In a cycle, the node that was given first comes first.
 */
export function topologicalSort<N extends Identified>(nodes: readonly N[], edges: readonly Edge[]): DirectedGraph<N> {
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
      // Only cycles are left. Take the first remaining node and drop the edges that lead back to it.
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

/** No real graph is larger, and the reduction of a larger one would take too long. */
const maxNodesToReduce = 1_500

/** Drops edges that other edges imply: what runs after `b`, which runs after `a`, runs after `a` too. */
export function transitiveReduction<N extends Identified>({ nodes, edges }: DirectedGraph<N>): DirectedGraph<N> {
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

/** The rank of each node by id: one more than the highest rank among its parents. */
export function ranksOf({ nodes, edges }: DirectedGraph<Identified>): Map<string, number> {
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

/** Groups edges by their `of` end and lists the other ends: `neighboursOf(edges, 'to', 'from')` returns the parents. */
export function neighboursOf(edges: readonly Edge[], of: keyof Edge, other: keyof Edge): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const edge of edges) {
    const known = found.get(edge[of])
    if (known) known.push(edge[other])
    else found.set(edge[of], [edge[other]])
  }
  return found
}

/** The ids that each node leads to. */
type Neighbours = ReadonlyMap<string, readonly string[]>

/** The shortest cycle that has one of these edges, such as `['a', 'b', 'a']`. @param next where all edges lead, these included */
export function shortestCycle(next: Neighbours, edges: readonly Edge[]): string[] | undefined {
  let shortest: string[] | undefined
  for (const { from, to } of edges) {
    const path = shortestPath(next, to, from)
    if (path && (!shortest || path.length + 1 < shortest.length)) shortest = [from, ...path]
  }
  return shortest
}

/** The names on the way, with both ends. */
function shortestPath(next: Neighbours, start: string, end: string): string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[start, undefined]])
  // A map can grow while it is iterated: its keys are the queue of a breadth-first search.
  for (const name of cameFrom.keys()) {
    if (name === end) {
      const path = [name]
      for (let at = cameFrom.get(name); at !== undefined; at = cameFrom.get(at)) path.unshift(at)
      return path
    }
    for (const each of next.get(name) ?? []) if (!cameFrom.has(each)) cameFrom.set(each, name)
  }
  return undefined
}

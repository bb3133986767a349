import { Graph as LayoutGraph, layout as place } from '@dagrejs/dagre'
import type { Graph, GraphNode } from '@slipway/model/graph'

/** What a graph is of; each has its own room between the ranks. */
export type GraphKind = 'workflow' | 'workflow-expanded' | 'commit' | 'run' | 'run-when'

/** In pixels. Specification 2, section 9. */
export const nodeSpacingPx = 20
export const rankSpacingPx: Record<GraphKind, number> = {
  workflow: 10,
  'workflow-expanded': 95,
  commit: 95,
  run: 50,
  'run-when': 85,
}
export const minHeightPx = 150

export const nodeHeightPx = 48
const widthsPx = { least: 168, most: 288, ofCharacter: 7.5, ofFrame: 40 }

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export interface Layout {
  /** By the id of the node; the top left corner is 0, 0. */
  boxes: Map<string, Box>
  lines: Line[]
  /** Ids of the nodes of each rank, from left to right, and within it from top to bottom. */
  ranks: string[][]
  width: number
  height: number
}

export interface Line {
  /** Ends of it: several where many lines run together. */
  from: string[]
  to: string[]
  /** Of an SVG path. */
  path: string
}

interface Point {
  x: number
  y: number
}

/** Changes with what has an influence on the layout, and with nothing else that may happen to a node. */
export const structureOf = ({ nodes, edges }: Graph): string =>
  JSON.stringify([nodes.map(({ id, label, note }) => [id, label, note]), edges.map(({ from, to }) => [from, to])])

export function layoutOf(graph: Graph, kind: GraphKind): Layout {
  const layout = new LayoutGraph()
  // Ranks are half as far apart and every line twice as long, so that between two ranks there is one more, for joints.
  layout.setGraph({
    rankdir: 'LR',
    nodesep: nodeSpacingPx,
    edgesep: nodeSpacingPx / 2,
    ranksep: rankSpacingPx[kind] / 2,
  })
  layout.setDefaultEdgeLabel(() => ({}))
  for (const node of graph.nodes) layout.setNode(keyOf(node.id), { width: widthOf(node), height: nodeHeightPx })
  const { straight, joints } = bundled(graph)
  for (const { from, to } of straight) layout.setEdge(keyOf(from), keyOf(to), { minlen: 2 })
  for (const { key, from, to } of joints) {
    layout.setNode(key, { width: 0, height: 0 })
    for (const parent of from) layout.setEdge(keyOf(parent), key, { minlen: 1 })
    for (const child of to) layout.setEdge(key, keyOf(child), { minlen: 1 })
  }
  place(layout)

  const slots = slotsOf(graph, layout)
  const slotOf = (id: string): string => slots.get(id) ?? keyOf(id)
  const columns = columnsOf(
    graph.nodes.map(({ id }) => ({ id, centre: centreOf(layout, slotOf(id)), ...boxOf(layout, slotOf(id)) })),
  )
  const boxes = new Map(
    columns.flatMap(({ nodes, x, width }) => nodes.map(({ id, y, height }) => [id, { x, y, width, height }])),
  )
  const line = (fromKey: string, toKey: string, start: Point, end: Point): string =>
    pathOf(start, bendsOf(layout, fromKey, toKey), end, columns)
  const right = (id: string): Point => {
    const { x = 0, y = 0, width = 0, height = 0 } = boxes.get(id) ?? {}
    return { x: x + width, y: y + height / 2 }
  }
  const left = (id: string): Point => {
    const { x = 0, y = 0, height = 0 } = boxes.get(id) ?? {}
    return { x, y: y + height / 2 }
  }
  const lines: Line[] = straight.map(({ from, to }) => ({
    from: [from],
    to: [to],
    path: line(slotOf(from), slotOf(to), right(from), left(to)),
  }))
  for (const { key, from, to } of joints) {
    const { x, y } = boxOf(layout, key)
    for (const id of from) lines.push({ from: [id], to, path: line(slotOf(id), key, right(id), { x, y }) })
    for (const id of to) lines.push({ from, to: [id], path: line(key, slotOf(id), { x, y }, left(id)) })
  }
  return {
    boxes,
    lines,
    ranks: columns.map(({ nodes }) => nodes.map(({ id }) => id)),
    width: Math.max(0, ...columns.map(({ x, width }) => x + width)),
    height: Math.max(0, ...[...boxes.values()].map(({ y, height }) => y + height)),
  }
}

/** The layout keeps nodes in an object, where a task named `__proto__` would do harm. */
const keyOf = (id: string): string => `node ${id}`

/**
 * Who has the place of whom: nodes between the same others could as well stand in each other's place, so they stand in
 * the order in which they were given, such as the instances of a matrix by their numbers.
 */
function slotsOf({ nodes, edges }: Graph, layout: LayoutGraph): Map<string, string> {
  const around = new Map(nodes.map(({ id }) => [id, { from: [] as string[], to: [] as string[] }]))
  for (const { from, to } of edges) {
    around.get(from)?.to.push(to)
    around.get(to)?.from.push(from)
  }
  const groups = new Map<string, string[]>()
  for (const [id, { from, to }] of around) {
    const key = JSON.stringify([centreOf(layout, keyOf(id)), from.sort(), to.sort()])
    const known = groups.get(key)
    if (known) known.push(id)
    else groups.set(key, [id])
  }
  const yOf = (id: string): number => boxOf(layout, keyOf(id)).y
  return new Map(
    [...groups.values()].flatMap((ids) => {
      const places = [...ids].sort((a, b) => yOf(a) - yOf(b))
      return ids.map((id, index): [string, string] => [id, keyOf(places[index] ?? id)])
    }),
  )
}

function widthOf({ label, note }: GraphNode): number {
  const characters = label.length + (note ? note.length + 1 : 0)
  const wanted = widthsPx.ofFrame + Math.ceil(characters * widthsPx.ofCharacter)
  return Math.min(widthsPx.most, Math.max(widthsPx.least, wanted))
}

/** Where several nodes come after the same several others, all their lines go through one joint. */
function bundled({ nodes, edges }: Graph) {
  const parents = new Map<string, string[]>(nodes.map(({ id }) => [id, []]))
  for (const { from, to } of edges) parents.get(to)?.push(from)
  const groups = new Map<string, { from: string[]; to: string[] }>()
  for (const [id, from] of parents) {
    const key = JSON.stringify([...from].sort())
    const known = groups.get(key)
    if (known) known.to.push(id)
    else groups.set(key, { from, to: [id] })
  }
  const all = [...groups.values()]
  const isJoined = ({ from, to }: { from: string[]; to: string[] }) => from.length > 1 && to.length > 1
  return {
    joints: all.filter(isJoined).map((group, index) => ({ key: `joint ${index}`, ...group })),
    straight: all
      .filter((group) => !isJoined(group))
      .flatMap(({ from, to }) => to.flatMap((child) => from.map((parent) => ({ from: parent, to: child })))),
  }
}

interface Column {
  x: number
  width: number
  nodes: ({ id: string } & Box)[]
}

/** The ranks, with their nodes as wide as the widest of them. */
function columnsOf(nodes: ({ id: string; centre: number } & Box)[]): Column[] {
  const byCentre = new Map<number, Column>()
  for (const node of nodes) {
    const column = byCentre.get(node.centre) ?? { x: node.x, width: 0, nodes: [] }
    column.x = Math.min(column.x, node.x)
    column.width = Math.max(column.width, node.width)
    column.nodes.push(node)
    byCentre.set(node.centre, column)
  }
  const columns = [...byCentre.values()].sort((a, b) => a.x - b.x)
  for (const column of columns) column.nodes.sort((a, b) => a.y - b.y)
  return columns
}

/** Nodes of one rank have it in common, to the last digit but for rounding. */
const centreOf = (layout: LayoutGraph, key: string): number => Math.round((layout.node(key) as Partial<Box>).x ?? 0)

/** Of the layout, which speaks of centres. */
function boxOf(layout: LayoutGraph, key: string): Box {
  const { x = 0, y = 0, width = 0, height = 0 } = layout.node(key) as Partial<Box>
  return { x: Math.round(x - width / 2), y: Math.round(y - height / 2), width, height }
}

/** Where a line goes between its ends, which are those of the boxes and not the layout's. */
function bendsOf(layout: LayoutGraph, from: string, to: string): Point[] {
  const { points = [] } = (layout.edge(from, to) ?? {}) as { points?: Point[] }
  return points.slice(1, -1)
}

/** Level within a column, so that no line cuts the corner of a node; in waves between them. */
function pathOf(start: Point, bends: Point[], end: Point, columns: Column[]): string {
  const stops = bends.flatMap(({ x, y }) => {
    const column = columns.find((each) => x >= each.x && x <= each.x + each.width)
    return column
      ? [
          { x: column.x, y },
          { x: column.x + column.width, y },
        ]
      : []
  })
  const passed = stops.filter(({ x }) => x > start.x && x < end.x)
  let path = `M${start.x},${start.y}`
  let at = start
  for (const next of [...passed, end]) {
    const middle = (at.x + next.x) / 2
    path += at.y === next.y ? `H${next.x}` : `C${middle},${at.y} ${middle},${next.y} ${next.x},${next.y}`
    at = next
  }
  return path
}

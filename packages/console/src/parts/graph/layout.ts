import { Graph as LayoutGraph, layout as place } from '@dagrejs/dagre'
import type { Graph, GraphNode, NodeKind } from '@slipway/model/graphs/graph'
import { ranksOf, neighboursOf } from '@slipway/model/directed-graph'

/** What a graph shows; each kind has its own spacing between ranks. */
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

/** Two lines of a name and one of its state, at the least zoom. */
export const nodeHeightPx = 66
/**
 * A character is as wide as at the least zoom, where text is larger in relation to its node. The least for a run leaves
 * room for `Succeeded (Test Warnings)` and a duration, whatever it is now.
 */
const widthsPx = { least: 168, leastOfRun: 242, most: 256, ofCharacter: 10.6, ofFrame: 28, ofSign: 24 }
const runKinds: readonly NodeKind[] = ['build', 'test', 'release']

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
  /** On the left of their nodes, which are in one rank. */
  nudges: NudgeLine[]
  /** Ids of the nodes of each rank, from left to right, and within it from top to bottom. */
  ranks: string[][]
  width: number
  height: number
}

export interface Line {
  /** Ids of the nodes at its ends: several where lines are bundled. */
  from: string[]
  to: string[]
  /** Data of an SVG path. */
  path: string
}

export interface NudgeLine extends Line {
  /** Data of the path of its head. */
  head: string
}

interface Point {
  x: number
  y: number
}

/** A key that changes with whatever affects the layout, and with nothing else. */
export const structureOf = ({ nodes, edges, nudges = [] }: Graph): string =>
  JSON.stringify([
    nodes.map(({ id, label, note, kind }) => [id, label, note, kind]),
    [edges, nudges].map((all) => all.map(({ from, to }) => [from, to])),
  ])

export function layoutOf(graph: Graph, kind: GraphKind): Layout {
  const groups = groupsOf(graph)
  const layout = new LayoutGraph()
  // Half the spacing, and lines across two ranks, leave an extra rank for joints between every two ranks.
  const ranksep = rankSpacingPx[kind] / 2
  const marginx = graph.nudges ? nudgeRoomPx : 0
  layout.setGraph({ rankdir: 'LR', nodesep: nodeSpacingPx, edgesep: nodeSpacingPx / 2, ranksep, marginx })
  layout.setDefaultEdgeLabel(() => ({}))
  for (const { key, nodes } of groups) {
    const height = nodes.length * (nodeHeightPx + nodeSpacingPx) - nodeSpacingPx
    layout.setNode(key, { width: Math.max(...nodes.map(widthOf)), height })
  }
  const levels = ranksOf(graph)
  const last = Math.max(0, ...levels.values())
  // Lines from early ranks have a higher weight and stay shorter, so that a node is close to its parents.
  const weightOf = ({ nodes }: Group): number => last - (levels.get(nodes[0]?.id ?? '') ?? 0) + 1
  const { straight, joints } = bundled(groups)
  for (const { from, to } of straight) layout.setEdge(from.key, to.key, { minlen: 2, weight: weightOf(from) })
  for (const { key, from, to } of joints) {
    layout.setNode(key, { width: 0, height: 0 })
    for (const parent of from) layout.setEdge(parent.key, key, { minlen: 1, weight: weightOf(parent) })
    for (const child of to) layout.setEdge(key, child.key, { minlen: 1 })
  }
  place(layout)

  const columns = columnsOf(groups.flatMap((group) => placed(layout, group)))
  const boxes = new Map(
    columns.flatMap(({ nodes, x, width }) => nodes.map(({ id, y, height }) => [id, { x, y, width, height }])),
  )
  const right = ({ id }: GraphNode): Point => {
    const { x = 0, y = 0, width = 0, height = 0 } = boxes.get(id) ?? {}
    return { x: x + width, y: y + height / 2 }
  }
  const left = ({ id }: Pick<GraphNode, 'id'>): Point => {
    const { x = 0, y = 0, height = 0 } = boxes.get(id) ?? {}
    return { x, y: y + height / 2 }
  }
  const idsOf = (some: readonly Group[]) => some.flatMap(({ nodes }) => nodes.map(({ id }) => id))
  const lines: Line[] = straight.flatMap(({ from, to }) => {
    const bends = bendsOf(layout, from.key, to.key)
    return from.nodes.flatMap((parent) =>
      to.nodes.map((child) => ({
        from: [parent.id],
        to: [child.id],
        path: pathOf(right(parent), bends, left(child), columns),
      })),
    )
  })
  for (const { key, from, to } of joints) {
    const joint = pointOf(layout, key)
    for (const group of from) {
      const bends = bendsOf(layout, group.key, key)
      for (const node of group.nodes) {
        lines.push({ from: [node.id], to: idsOf(to), path: pathOf(right(node), bends, joint, columns) })
      }
    }
    for (const group of to) {
      const bends = bendsOf(layout, key, group.key)
      for (const node of group.nodes) {
        lines.push({ from: idsOf(from), to: [node.id], path: pathOf(joint, bends, left(node), columns) })
      }
    }
  }
  const nudges = (graph.nudges ?? []).map(({ from, to }) => ({
    from: [from],
    to: [to],
    ...nudgePath(left({ id: from }), left({ id: to })),
  }))
  return {
    boxes,
    lines,
    nudges,
    ranks: columns.map(({ nodes }) => nodes.map(({ id }) => id)),
    width: Math.max(0, ...columns.map(({ x, width }) => x + width)),
    height: Math.max(0, ...[...boxes.values()].map(({ y, height }) => y + height)),
  }
}

/** The space that the lines of nudges need on the left of a graph. */
const nudgeRoomPx = 48

/** The box of a node, with the lines of nudges on its left. */
export function boxWithNudges({ boxes, nudges }: Layout, id: string): Box | undefined {
  const box = boxes.get(id)
  const hasNudges = nudges.some(({ from, to }) => from.includes(id) || to.includes(id))
  return box && hasNudges ? { ...box, x: box.x - nudgeRoomPx, width: box.width + nudgeRoomPx } : box
}

/** A curve between two nodes of one rank; the more nodes it passes, the wider it is. */
function nudgePath(start: Point, end: Point): Pick<NudgeLine, 'path' | 'head'> {
  // Apart from each other at a node that nudges and is nudged.
  const from = { x: start.x, y: start.y + nudgeOffsetPx }
  const to = { x: end.x, y: end.y - nudgeOffsetPx }
  const passed = Math.abs(end.y - start.y) / (nodeHeightPx + nodeSpacingPx)
  // A curve reaches three quarters of the way to its control points.
  const x = Math.min(start.x, end.x) - Math.min(nudgeRoomPx, 16 + 8 * passed) / 0.75
  return {
    path: `M${from.x},${from.y}C${x},${from.y} ${x},${to.y} ${to.x},${to.y}`,
    head: `M${to.x - 7},${to.y - 4}L${to.x},${to.y}L${to.x - 7},${to.y + 4}`,
  }
}

const nudgeOffsetPx = 8

/** Nodes with the same neighbours, such as the instances of a matrix: they stay together, in their own order. */
interface Group {
  key: string
  nodes: GraphNode[]
  /** Keys of the groups before it. */
  parents: string[]
}

/** Groups nodes, so that a hundred checks after one build are laid out as one node. */
function groupsOf({ nodes, edges }: Graph): Group[] {
  const parents = neighboursOf(edges, 'to', 'from')
  const children = neighboursOf(edges, 'from', 'to')
  const groups = new Map<string, Group>()
  const groupOfNode = new Map<string, Group>()
  for (const node of nodes) {
    const around = [parents.get(node.id) ?? [], children.get(node.id) ?? []].map((ids) => [...ids].sort())
    // Nodes without neighbours are not grouped, since they would form one tall column.
    const key = JSON.stringify(around.flat().length > 0 ? around : node.id)
    const group = groups.get(key) ?? { key: `group ${groups.size}`, nodes: [], parents: [] }
    group.nodes.push(node)
    groups.set(key, group)
    groupOfNode.set(node.id, group)
  }
  return [...groups.values()].map((group) => {
    const before = parents.get(group.nodes[0]?.id ?? '') ?? []
    return { ...group, parents: [...new Set(before.flatMap((id) => groupOfNode.get(id)?.key ?? []))] }
  })
}

/** The boxes of a group that has been laid out. */
function placed(layout: LayoutGraph, { key, nodes }: Group) {
  const { width = 0, height = 0 } = layout.node(key) as Partial<Box>
  const { x, y } = pointOf(layout, key)
  return nodes.map(({ id }, index) => ({
    id,
    // The same for all nodes of a rank.
    centre: x,
    x: Math.round(x - width / 2),
    y: Math.round(y - height / 2) + index * (nodeHeightPx + nodeSpacingPx),
    width,
    height: nodeHeightPx,
  }))
}

function pointOf(layout: LayoutGraph, key: string): Point {
  const { x = 0, y = 0 } = layout.node(key) as Partial<Point>
  return { x: Math.round(x), y: Math.round(y) }
}

function widthOf({ label, note, kind }: GraphNode): number {
  // The note has a line of its own.
  const characters = note ? Math.max(note.length, label.length) : longestLine(label)
  const frame = widthsPx.ofFrame + (kind === 'task' ? 0 : widthsPx.ofSign)
  // An even number, so that half of it, and every position derived from it, is an integer.
  const neededPx = frame + 2 * Math.ceil((characters * widthsPx.ofCharacter) / 2)
  const leastPx = runKinds.includes(kind) ? widthsPx.leastOfRun : widthsPx.least
  return Math.min(widthsPx.most, Math.max(leastPx, neededPx))
}

/** Length of the longest line of a name that is broken into at most two lines, where browsers break lines. */
function longestLine(name: string): number {
  const breaks = [...name.matchAll(/[-\s]+/g)].map(({ index, 0: { length } }) => index + length)
  return Math.min(...[name.length, ...breaks].map((at) => Math.max(at, name.length - at)))
}

/** Where several nodes have the same several parents, all their lines go through one joint. */
function bundled(groups: readonly Group[]) {
  const byKey = new Map(groups.map((group) => [group.key, group]))
  const byParents = new Map<string, { from: Group[]; to: Group[] }>()
  for (const group of groups) {
    const key = JSON.stringify([...group.parents].sort())
    const known = byParents.get(key)
    if (known) known.to.push(group)
    else byParents.set(key, { from: group.parents.flatMap((parent) => byKey.get(parent) ?? []), to: [group] })
  }
  const countOf = (some: readonly Group[]) => some.reduce((count, { nodes }) => count + nodes.length, 0)
  const isJoined = ({ from, to }: { from: Group[]; to: Group[] }) => countOf(from) > 1 && countOf(to) > 1
  const all = [...byParents.values()]
  return {
    joints: all.filter(isJoined).map((each, index) => ({ key: `joint ${index}`, ...each })),
    straight: all
      .filter((each) => !isJoined(each))
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

/** The points of a line between its ends, which are at the boxes and not where the layout has them. */
function bendsOf(layout: LayoutGraph, from: string, to: string): Point[] {
  const { points = [] } = (layout.edge(from, to) ?? {}) as { points?: Point[] }
  return points.slice(1, -1)
}

/** A path that is level within columns, so that no line cuts the corner of a node, and curved between them. */
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

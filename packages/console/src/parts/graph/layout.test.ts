import type { Graph } from '@slipway/model/graphs/graph'
import { expect, it, test } from 'vitest'
import { type GraphKind, layoutOf, minHeightPx, nodeHeightPx, structureOf } from './layout'
import { firstView, hiddenSides, viewShowing } from './viewport'
import { cpuMsOf } from '../../../../../scripts/lib/cpu-time'

/** `a > b, b > c`: nodes in the order in which they are named. */
function graphOf(text: string): Graph {
  const pairs = text.split(', ').map((pair) => pair.split(' > '))
  const ids = [...new Set(pairs.flat())]
  return {
    nodes: ids.map((id) => ({ id, kind: 'task', label: id, status: 'Idle' })),
    edges: pairs.flatMap(([from, to]) => (from && to ? [{ from, to }] : [])),
  }
}
const many = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`)

test.each<[string, GraphKind, number]>([
  ['GRAPH-25', 'workflow', 10],
  ['GRAPH-26', 'workflow-expanded', 95],
  ['GRAPH-26', 'commit', 95],
  ['GRAPH-27', 'run', 50],
  ['GRAPH-28', 'run-when', 85],
])('%s the ranks of a %s graph are %i px apart', (_, kind, expected) => {
  // Whatever the widths of the nodes.
  for (let length = 18; length < 26; length++) {
    const name = 'x'.repeat(length)
    const { boxes } = layoutOf(graphOf(`a > ${name}, a > b, b > c, ${name} > c`), kind)
    const [a, b, long, c] = ['a', 'b', name, 'c'].map((id) => boxes.get(id))
    expect((b?.x ?? 0) - (a?.x ?? 0) - (a?.width ?? 0)).toBe(expected)
    expect((c?.x ?? 0) - (long?.x ?? 0) - (long?.width ?? 0)).toBe(expected)
  }
})

it('GRAPH-24 spaces the nodes of a rank, and makes them as wide as the widest', () => {
  const { boxes, ranks } = layoutOf(graphOf('a > b0, a > b1-with-quite-a-long-name, a > b2'), 'run')
  const column = (ranks[1] ?? []).map((id) => boxes.get(id))
  const [first, second, third] = column.map((box) => box?.y ?? 0)
  expect([(second ?? 0) - (first ?? 0), (third ?? 0) - (second ?? 0)]).toEqual([nodeHeightPx + 20, nodeHeightPx + 20])
  expect(new Set(column.map((box) => `${box?.x} ${box?.width}`)).size).toBe(1)
})

it('leads nudges along the left of a rank, which they do not change', () => {
  const flow = graphOf('a > build-a, b > build-b, c > build-c')
  const graph = { ...flow, nudges: [{ from: 'c', to: 'a' }] }
  const { boxes, ranks, nudges, width } = layoutOf(graph, 'workflow-expanded')
  const plain = layoutOf(flow, 'workflow-expanded')
  expect(ranks).toEqual(plain.ranks)
  const roomPx = width - plain.width
  expect([...boxes].map(([id, { x, ...box }]) => [id, { ...box, x: x - roomPx }])).toEqual(
    [...plain.boxes].map(([id, box]) => [id, box]),
  )
  expect(nudges.map(({ from, to }) => [from, to])).toEqual([[['c'], ['a']]])
  // Where the curve is leftmost, it is still within the graph.
  const [start = 0, , control = 0] = [...(nudges[0]?.path ?? '').matchAll(/-?[\d.]+/g)].map(Number)
  expect(start).toBe(roomPx)
  expect(start + 0.75 * (control - start)).toBeGreaterThanOrEqual(0)
  expect(plain.nudges).toEqual([])
})

test.each<[string, string | undefined]>([
  ['starts with', undefined],
  ['moves to', 'n0'],
])('a graph that does not fit %s the lines of nudges in front of its first nodes', (_, shown) => {
  const chain = many(9, 'n').map((id, index) => `${id} > n${index + 1}`)
  // By itself, it would start with the part that has the most nodes, which is at its end.
  const end = shown ? many(5, 'last').map((id) => `n9 > ${id}`) : []
  const layout = layoutOf(
    { ...graphOf([...chain, ...end].join(', ')), nudges: [{ from: 'n0', to: 'n0' }] },
    'workflow-expanded',
  )
  const { viewport } = firstView(layout, { frameWidth: 600, windowHeight: 900 }, shown)
  expect(viewport.x).toBe(20)
})

const desk = { frameWidth: 1_000, windowHeight: 900 }

it('GRAPH-29 is never lower than the minimum height', () => {
  expect(minHeightPx).toBe(150)
  expect(firstView(layoutOf(graphOf('a > b'), 'run'), desk).heightPx).toBe(150)
  expect(firstView(layoutOf(graphOf(many(100, 'a > b').join(', ')), 'run'), desk).heightPx).toBeGreaterThan(150)
})

/** A typical build: a chain, then many checks, then a final task. */
const build = layoutOf(
  graphOf(
    [
      'init > clone-repository, clone-repository > prefetch-dependencies, prefetch-dependencies > build-container',
      'build-container > build-image-index',
      ...many(12, 'check-by-scanner-').flatMap((check) => [`build-image-index > ${check}`, `${check} > summary`]),
    ].join(', '),
  ),
  'run-when',
)

/** Nodes that are completely visible. */
function nodesInSight(layout: typeof build, room: typeof desk, shown?: string): string[] {
  const { viewport, heightPx } = firstView(layout, room, shown)
  return [...layout.boxes].flatMap(([id, { x, y, width, height }]) => {
    const left = viewport.x + x * viewport.zoom
    const top = viewport.y + y * viewport.zoom
    const isInside =
      left >= 0 &&
      top >= 0 &&
      left + width * viewport.zoom <= room.frameWidth &&
      top + height * viewport.zoom <= heightPx
    return isInside ? [id] : []
  })
}

it.each([
  [1_440, 900],
  [1_280, 800],
])('shows all nodes of a build at once, at a legible size, in a window of %i x %i', (width, height) => {
  const room = { frameWidth: width - 296, windowHeight: height }
  const { viewport, heightPx } = firstView(build, room)
  expect(viewport.zoom).toBeGreaterThanOrEqual(0.48)
  expect(heightPx).toBeLessThanOrEqual(0.8 * height)
  expect(nodesInSight(build, room)).toHaveLength(18)
})

it('shows the start of a build of the catalog, although its end has more nodes', () => {
  const last = ['summary', 'show-sbom', 'notify'].map((task) => `check-by-scanner-0 > ${task}`)
  const chain = 'init > clone-repository, clone-repository > prefetch-dependencies, prefetch-dependencies > build'
  const checks = many(12, 'check-by-scanner-').map((check) => `build > ${check}`)
  const layout = layoutOf(graphOf([chain, ...checks, ...last].join(', ')), 'run-when')
  const shown = nodesInSight(layout, { frameWidth: 900, windowHeight: 900 })
  expect(shown).toEqual(expect.arrayContaining(['init', 'clone-repository', 'prefetch-dependencies', 'build']))
})

it('shows the start if no other part has more nodes, and centres a requested node', () => {
  const chain = layoutOf(
    graphOf(Array.from({ length: 30 }, (_, index) => `step-${index} > step-${index + 1}`).join(', ')),
    'run',
  )
  expect(firstView(chain, desk).viewport.x).toBeGreaterThan(0)
  expect(nodesInSight(chain, desk)).toContain('step-0')
  const { viewport } = firstView(chain, desk, 'step-20')
  const box = chain.boxes.get('step-20')
  expect(viewport.x + ((box?.x ?? 0) + (box?.width ?? 0) / 2) * viewport.zoom).toBeCloseTo(500, 0)
  const last = firstView(chain, desk, 'step-30').viewport
  expect(Math.round(last.x + chain.width * last.zoom), 'no empty space after the last').toBe(980)
})

it('centres a requested node of a rank that is higher than the window', () => {
  const rank = layoutOf(graphOf(many(100, 'a > b').join(', ')), 'run')
  const { viewport, heightPx } = firstView(rank, desk, 'b50')
  const box = rank.boxes.get('b50')
  expect(viewport.y + ((box?.y ?? 0) + (box?.height ?? 0) / 2) * viewport.zoom).toBeCloseTo((heightPx - 44) / 2, 0)
  expect(firstView(rank, desk).viewport.y, 'starts at the top').toBe(20)
})

it('makes a node as wide as a line of its name, which browsers break after hyphens', () => {
  const widthOf = (label: string) => {
    const { boxes } = layoutOf({ nodes: [{ id: 'a', kind: 'task', label }], edges: [] }, 'run')
    return boxes.get('a')?.width ?? 0
  }
  const longer = 'preflight-checks'.replace('-', '_')
  expect(widthOf('ecosystem-cert-preflight-checks')).toBe(widthOf(longer))
  expect(widthOf('ecosystem_cert_preflight_checks')).toBeGreaterThan(widthOf(longer))
})

test.each<[string, { x: number; y: number }, string[]]>([
  ['wholly in the frame', { x: 50, y: 0 }, []],
  ['less than a pixel outside', { x: 100.5, y: -0.5 }, []],
  ['beyond the left and the top', { x: -10, y: -10 }, ['left', 'top']],
  ['beyond the right and the bottom', { x: 110, y: 110 }, ['right', 'bottom']],
])('the sides beyond which a graph %s continues', (_, at, expected) => {
  const size = { width: 600, height: 200 }
  expect(hiddenSides(size, { ...at, zoom: 0.5 }, { width: 400, height: 200 })).toEqual(expected)
})

it('GRAPH-22, GRAPH-23 places every node to the right of its predecessors', () => {
  const graph = graphOf('a > b, b > c, a > d, c > last, d > last, x > last, x > other, a > other')
  const { boxes } = layoutOf(graph, 'run')
  for (const { from, to } of graph.edges) {
    const parent = boxes.get(from)
    expect(boxes.get(to)?.x ?? 0).toBeGreaterThan((parent?.x ?? 0) + (parent?.width ?? 0))
  }
})

it('places a node directly after its parents, however late it is needed', () => {
  const { ranks } = layoutOf(graphOf('a > b, b > c, c > last, a > early, early > last'), 'run')
  expect(ranks).toEqual([['a'], expect.arrayContaining(['b', 'early']), ['c'], ['last']])
})

it('bundles the lines between the same nodes', () => {
  const edges = many(20, 'a').flatMap((from) => many(10, 'b').map((to) => `${from} > ${to}`))
  const { lines, ranks } = layoutOf(graphOf(edges.join(', ')), 'run')
  expect(lines).toHaveLength(30)
  expect(ranks.map((ids) => ids.length)).toEqual([20, 10])
})

it('keeps the order of nodes with the same neighbours', () => {
  const builds = many(8, 'build').map((build) => `clone > ${build}, ${build} > index`)
  expect(layoutOf(graphOf(builds.reverse().join(', ')), 'run').ranks[1]).toEqual(many(8, 'build').reverse())
})

it('lays out a large run within the time of a few frames', () => {
  const checks = many(100, 'check').flatMap((check) => [`index > ${check}`, `${check} > summary`, `${check} > notify`])
  const graph = graphOf(
    ['init > clone', ...many(20, 'build').flatMap((build) => [`clone > ${build}`, `${build} > index`]), ...checks].join(
      ', ',
    ),
  )
  expect(cpuMsOf(() => expect(layoutOf(graph, 'run-when').boxes.size).toBe(125))).toBeLessThan(2_000)
})

it('survives node names such as __proto__ and constructor', () => {
  expect(layoutOf(graphOf('__proto__ > constructor'), 'run').ranks).toEqual([['__proto__'], ['constructor']])
})

it('the structure changes with nodes, edges and names, but not with a status', () => {
  const graph = graphOf('a > b')
  const [a, b] = graph.nodes
  if (!a || !b) throw new Error('There are two.')
  expect(structureOf({ ...graph, nodes: [{ ...a, status: 'Failed', endTime: 'x' }, b] })).toBe(structureOf(graph))
  expect(structureOf({ ...graph, edges: [] })).not.toBe(structureOf(graph))
  expect(structureOf({ ...graph, nudges: [{ from: 'b', to: 'a' }] })).not.toBe(structureOf(graph))
  expect(structureOf({ ...graph, nodes: [{ ...a, label: 'other' }, b] })).not.toBe(structureOf(graph))
})

const frame = { width: 400, height: 200 }
const box = { width: 100, height: 40 }
test.each<[string, { x: number; y: number }, { x: number; y: number }]>([
  ['a visible box does not move', { x: 100, y: 60 }, { x: 0, y: 0 }],
  ['a box to the right moves in from there', { x: 500, y: 60 }, { x: -220, y: 0 }],
  ['a box to the left and above moves in from there', { x: -50, y: -10 }, { x: 70, y: 30 }],
])('%s', (_, at, expected) => {
  expect(viewShowing({ x: 0, y: 0, zoom: 1 }, { ...box, ...at }, frame)).toEqual({ ...expected, zoom: 1 })
})

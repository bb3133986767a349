import { type Node, type NodeProps, ReactFlow, type ReactFlowInstance, ViewportPortal } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import type { Graph, GraphNode } from '@slipway/model/graphs/graph'
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useLatest } from '../../lib/use-latest'
import { toneOf } from '../status/StatusLabel'
import { GraphControls } from './GraphControls'
import { GraphNodeBox } from './GraphNodeBox'
import { type GraphKind, type Layout, layoutOf, minHeightPx, structureOf } from './layout'
import { firstView, viewShowing } from './viewport'
import { isWalkKey, walk } from './walk'
import './pipeline-graph.css'

export interface PipelineGraphProps {
  graph: Graph
  kind: GraphKind
  /** Id of a node. */
  selected: string | undefined
  onSelect: (id: string) => void
  /** What the graph is of, for those who do not see it. */
  label: string
}

type FlowNode = Node<{ node: GraphNode; isTabStop: boolean; showsWhen: boolean; onSelect: (id: string) => void }, 'box'>

/**
 * A graph as it is drawn. It may be moved and enlarged, never edited. Its layout follows from its structure alone, so
 * that nothing moves while statuses change. It is fitted again when its structure or its room changes, unless the reader
 * has moved it.
 */
export function PipelineGraph({ graph, kind, selected, onSelect, label }: PipelineGraphProps) {
  const structure = structureOf(graph)
  // Measured: to lay out 100 nodes takes 230 ms. The structure says whether this graph is laid out as the one before.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const layout = useMemo(() => layoutOf(graph, kind), [structure, kind])
  const frame = useRef<HTMLDivElement>(null)
  const room = useAvailableSpace(frame)
  const [flow, setFlow] = useState<ReactFlowInstance<FlowNode>>()
  const [lastFocused, setLastFocused] = useState<string>()
  const helpId = useId()
  /** Whether the reader has moved or enlarged the graph: it then stays where it is. */
  const isMoved = useRef(false)
  const reveal = (id: string) => {
    const box = layout.boxes.get(id)
    if (flow && box && frame.current) void flow.setViewport(viewShowing(flow.getViewport(), box, sizeOf(frame.current)))
  }
  const latestSelect = useLatest(onSelect)
  // React Flow renders each node again whose object is another one: 100 boxes for one that was selected.
  const boxes = useMemo(
    () => boxesOf(graph, layout, kind, (id) => latestSelect.current(id)),
    [graph, layout, kind, latestSelect],
  )
  const tabStop = [lastFocused, selected].find((id) => id !== undefined && layout.boxes.has(id)) ?? layout.ranks[0]?.[0]
  // As above: only the boxes that are selected or were.
  const nodes = useMemo(
    () =>
      boxes.map((box) =>
        box.id === selected || box.id === tabStop
          ? { ...box, selected: box.id === selected, data: { ...box.data, isTabStop: box.id === tabStop } }
          : box,
      ),
    [boxes, selected, tabStop],
  )

  const focus = (id: string) => {
    const element = [...(frame.current?.querySelectorAll<HTMLElement>('[data-node]') ?? [])].find(
      ({ dataset }) => dataset.node === id,
    )
    reveal(id)
    // A browser would scroll the frame, which has its own way of showing other parts.
    element?.focus({ preventScroll: true })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const from = event.target instanceof HTMLElement ? event.target.dataset.node : undefined
    if (from === undefined || !isWalkKey(event.key) || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    focus(walk(graph, layout, from, event.key))
  }

  const view = firstView(layout, room ?? noSpace, selected ?? mostTelling(graph))
  const refit = useEffectEvent(() => {
    if (!flow) return
    if (!isMoved.current) void flow.setViewport(view.viewport)
    else if (selected !== undefined) reveal(selected)
  })
  // Another graph, or another size of its frame, such as when a panel opens beside it. Never another status.
  useEffect(() => refit(), [flow, layout, room])
  return (
    <div
      ref={frame}
      className="slipway-graph"
      style={{ height: view.heightPx, minHeight: minHeightPx }}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => target.dataset.node !== undefined && setLastFocused(target.dataset.node)}
    >
      {room && (
        <ReactFlow<FlowNode>
          aria-label={label}
          aria-describedby={helpId}
          nodes={nodes}
          nodeTypes={nodeTypes}
          defaultViewport={view.viewport}
          onInit={setFlow}
          // By hand alone has it an event.
          onMove={(event) => {
            if (event) isMoved.current = true
          }}
          minZoom={0.2}
          maxZoom={1.5}
          translateExtent={extentOf(layout)}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          elementsSelectable={false}
          edgesFocusable={false}
          disableKeyboardA11y
          // The page scrolls with the wheel; with Ctrl held, or with two fingers, the graph is enlarged.
          zoomOnScroll={false}
          preventScrolling={false}
          zoomOnDoubleClick={false}
          deleteKeyCode={null}
          selectionKeyCode={null}
          multiSelectionKeyCode={null}
          panActivationKeyCode={null}
        >
          <ViewportPortal>
            <Lines layout={layout} selected={selected} />
          </ViewportPortal>
          <GraphControls onMove={() => (isMoved.current = true)} onFit={() => (isMoved.current = false)} />
        </ReactFlow>
      )}
      <span id={helpId} hidden>
        Arrow keys move along the graph, Enter selects. The same is there as a list.
      </span>
    </div>
  )
}

interface AvailableSpace {
  frameWidth: number
  windowHeight: number
}

const noSpace: AvailableSpace = { frameWidth: 0, windowHeight: 0 }

/** Less may be a scroll bar of the page, which comes and goes with the height of the graph itself. */
const leastChangePx = 24

/** How much room a graph has, as it changes; `undefined` before it is known. */
function useAvailableSpace(frame: RefObject<HTMLElement | null>): AvailableSpace | undefined {
  const [room, setRoom] = useState<AvailableSpace>()
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return
    const measure = () =>
      setRoom((known) => {
        const next = { frameWidth: element.clientWidth, windowHeight: globalThis.innerHeight }
        const hasChanged =
          !known ||
          Math.abs(known.frameWidth - next.frameWidth) >= leastChangePx ||
          known.windowHeight !== next.windowHeight
        return hasChanged ? next : known
      })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    globalThis.addEventListener('resize', measure)
    return () => {
      observer.disconnect()
      globalThis.removeEventListener('resize', measure)
    }
  }, [frame])
  return room
}

const Box = ({ data, selected }: NodeProps<FlowNode>) => <GraphNodeBox {...data} isSelected={selected} />
const nodeTypes = { box: Box }

/** Without the marks of an editor's node, which no one can edit here. */
const domAttributes = { 'aria-roledescription': undefined }

/** Since nothing of an editor can be done with a node, its parts would not be reached by the mouse either. */
const reachable = { pointerEvents: 'all' } as const

/** As they were drawn last, of each layout: every event makes all nodes of a graph anew, and few of them differ. */
const renderedNodes = new WeakMap<Layout, Map<string, { text: string; box: FlowNode }>>()

function boxesOf(graph: Graph, layout: Layout, kind: GraphKind, onSelect: (id: string) => void): FlowNode[] {
  const known = renderedNodes.get(layout) ?? new Map<string, { text: string; box: FlowNode }>()
  renderedNodes.set(layout, known)
  return graph.nodes.flatMap((node) => {
    const place = layout.boxes.get(node.id)
    if (!place) return []
    const text = JSON.stringify([node, kind])
    const before = known.get(node.id)
    if (before?.text === text && before.box.data.onSelect === onSelect) return [before.box]
    const { x, y, width, height } = place
    const box: FlowNode = {
      id: node.id,
      type: 'box',
      position: { x, y },
      width,
      height,
      measured: { width, height },
      data: { node, isTabStop: false, showsWhen: kind === 'run-when', onSelect },
      domAttributes,
      style: reachable,
    }
    known.set(node.id, { text, box })
    return [box]
  })
}

function Lines({ layout, selected }: { layout: Layout; selected: string | undefined }) {
  const isChosen = ({ from, to }: { from: string[]; to: string[] }) =>
    selected !== undefined && (from.includes(selected) || to.includes(selected))
  return (
    <svg className="slipway-graph__lines" width={layout.width} height={layout.height} aria-hidden="true">
      {layout.lines.map((line, index) => (
        <path key={index} d={line.path} data-chosen={isChosen(line) || undefined} />
      ))}
    </svg>
  )
}

/** What one has come to see, where not everything can be seen: what has failed, else what goes on. */
function mostTelling({ nodes }: Graph): string | undefined {
  const first = (...tones: ReturnType<typeof toneOf>[]) =>
    nodes.find(({ status }) => status && tones.includes(toneOf(status)))
  return (nodes.find(({ status }) => status === 'Failed') ?? first('danger') ?? first('info'))?.id
}

const sizeOf = ({ clientWidth, clientHeight }: HTMLElement) => ({ width: clientWidth, height: clientHeight })

const extentOf = ({ width, height }: Layout): [[number, number], [number, number]] => [
  [-400, -300],
  [width + 400, height + 300],
]

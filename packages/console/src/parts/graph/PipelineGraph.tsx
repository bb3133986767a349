import {
  type Node,
  type NodeProps,
  ReactFlow,
  type ReactFlowInstance,
  type Viewport,
  ViewportPortal,
} from '@xyflow/react'
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
import { GraphMap } from './GraphMap'
import { GraphNodeBox } from './GraphNodeBox'
import { boxWithNudges, type GraphKind, type Layout, layoutOf, minHeightPx, structureOf } from './layout'
import { firstView, hiddenSides, viewShowing } from './viewport'
import { isWalkKey, walk } from './walk'
import './pipeline-graph.css'

export interface PipelineGraphProps {
  graph: Graph
  kind: GraphKind
  /** Id of the selected node. */
  selected: string | undefined
  onSelect: (id: string) => void
  /** Accessible name of the graph. */
  label: string
}

type FlowNode = Node<{ node: GraphNode; isTabStop: boolean; showsWhen: boolean; onSelect: (id: string) => void }, 'box'>

/**
 * Renders a graph that can be panned and zoomed, but not edited. Its layout depends on its structure alone, so that
 * nothing moves while statuses change. It is fitted again when its structure or the available space changes, unless the
 * user has panned or zoomed it, and whenever another kind of graph is shown, such as the expanded workflow.
 */
export function PipelineGraph({ graph, kind, selected, onSelect, label }: PipelineGraphProps) {
  const structure = structureOf(graph)
  // Measured: laying out 100 nodes takes 230 ms. Graphs of equal structure share a layout.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const layout = useMemo(() => layoutOf(graph, kind), [structure, kind])
  const frame = useRef<HTMLDivElement>(null)
  const room = useAvailableSpace(frame)
  const [flow, setFlow] = useState<ReactFlowInstance<FlowNode>>()
  const [lastFocused, setLastFocused] = useState<string>()
  const helpId = useId()
  /** Whether the user has panned or zoomed the graph: it then stays where it is. */
  const isMoved = useRef(false)
  const fittedKind = useRef(kind)
  const reveal = (id: string) => {
    const box = boxWithNudges(layout, id)
    if (flow && box && frame.current) void flow.setViewport(viewShowing(flow.getViewport(), box, sizeOf(frame.current)))
  }
  const latestSelect = useLatest(onSelect)
  // React Flow renders every node with a new object again: without this, 100 boxes for each selection.
  const boxes = useMemo(
    () => boxesOf(graph, layout, kind, (id) => latestSelect.current(id)),
    [graph, layout, kind, latestSelect],
  )
  const tabStop = [lastFocused, selected].find((id) => id !== undefined && layout.boxes.has(id)) ?? layout.ranks[0]?.[0]
  // As above: only the boxes whose selection changes are new objects.
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
    // The browser would scroll the frame, which has a viewport of its own.
    element?.focus({ preventScroll: true })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const from = event.target instanceof HTMLElement ? event.target.dataset.node : undefined
    if (from === undefined || !isWalkKey(event.key) || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    focus(walk(graph, layout, from, event.key))
  }

  const view = firstView(layout, room ?? noSpace, selected ?? mostTelling(graph))
  const [moved, setMoved] = useState<Viewport>()
  const viewport = moved ?? view.viewport
  const hidden = room ? hiddenSides(layout, viewport, { width: room.frameWidth, height: view.heightPx }) : []
  const refit = useEffectEvent(() => {
    if (fittedKind.current !== kind) isMoved.current = false
    fittedKind.current = kind
    if (!flow) return
    if (!isMoved.current) void flow.setViewport(view.viewport)
    else if (selected !== undefined) reveal(selected)
  })
  // For another graph or frame size, such as when a panel opens next to it, but never for another status.
  useEffect(() => refit(), [flow, layout, room])
  return (
    <div
      ref={frame}
      className="slipway-graph"
      data-continues={hidden.join(' ') || undefined}
      data-small={viewport.zoom < leastFullZoom || undefined}
      style={{ height: view.heightPx, minHeight: minHeightPx, ['--slipway-graph-zoom' as string]: viewport.zoom }}
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
          onViewportChange={setMoved}
          // Only moves by the user come with an event.
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
          // The wheel scrolls the page; with Ctrl, or with two fingers, it zooms the graph.
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
          {hidden.length > 0 && <GraphMap onMove={() => (isMoved.current = true)} />}
        </ReactFlow>
      )}
      <span id={helpId} hidden>
        Arrow keys move along the graph, Enter selects. The list view has the same content.
      </span>
    </div>
  )
}

/** Below this, text is larger in relation to its node, and a node shows less of it. */
const leastFullZoom = 0.75

interface AvailableSpace {
  frameWidth: number
  windowHeight: number
}

const noSpace: AvailableSpace = { frameWidth: 0, windowHeight: 0 }

/** A smaller change may be the page's scroll bar, which depends on the height of the graph itself. */
const leastChangePx = 24

/** The space available to a graph, kept up to date; `undefined` before it is measured. */
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

/** Drops the role description of an editable node. */
const domAttributes = { 'aria-roledescription': undefined }

/** React Flow ignores the mouse on nodes that cannot be edited, but ours contain buttons. */
const reachable = { pointerEvents: 'all' } as const

/** The last rendered nodes of each layout: every event creates all nodes of a graph again, and few of them differ. */
const renderedNodes = new WeakMap<Layout, Map<string, { text: string; box: FlowNode }>>()

function boxesOf(graph: Graph, layout: Layout, kind: GraphKind, onSelect: (id: string) => void): FlowNode[] {
  const known = renderedNodes.get(layout) ?? new Map<string, { text: string; box: FlowNode }>()
  renderedNodes.set(layout, known)
  return graph.nodes.flatMap((node) => {
    const position = layout.boxes.get(node.id)
    if (!position) return []
    const text = JSON.stringify([node, kind])
    const before = known.get(node.id)
    if (before?.text === text && before.box.data.onSelect === onSelect) return [before.box]
    const { x, y, width, height } = position
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
      {layout.nudges.map((line, index) => (
        <g key={index} data-nudge data-chosen={isChosen(line) || undefined}>
          <path d={line.path} />
          <path d={line.head} />
        </g>
      ))}
    </svg>
  )
}

/** The node to show if not all nodes fit: the first failed one, else the first running one. */
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

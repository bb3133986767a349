import { MiniMap, type Node } from '@xyflow/react'
import type { GraphNode } from '@slipway/model/graphs/graph'
import { toneOf } from '../status/StatusLabel'

/** In pixels; it is beside the controls, where no node is covered. */
const size = { width: 120, height: 37 }

/**
 * The whole graph in small, with the part that is in the frame: dragging it moves the graph. For the mouse alone, since
 * the arrow keys lead to every node.
 */
export const GraphMap = ({ onMove }: { onMove: () => void }) => (
  <MiniMap<Node<{ node: GraphNode }>>
    aria-hidden
    ariaLabel={null}
    className="slipway-graph__map"
    position="bottom-left"
    style={size}
    pannable
    maskStrokeWidth={1.5}
    onPointerDown={onMove}
    offsetScale={1}
    nodeBorderRadius={0}
    nodeClassName={({ data: { node } }) =>
      `slipway-graph__map-${(node.status && toneOf(node.verdict ?? node.status)) ?? 'none'}`
    }
  />
)

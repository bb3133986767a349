import type { Viewport } from '@xyflow/react'
import { type Box, type Layout, minHeightPx } from './layout'

const marginPx = 24
/** Below the graph: the controls, and badges that hang over the last node. */
const belowPx = 44
const maxHeightPx = 720
/** Smaller, nothing can be read; what does not fit is reached by moving. */
const leastZoom = 0.8

interface Size {
  width: number
  height: number
}

/**
 * How a graph is seen first, and how high its frame is: whole where it can be read then, else its beginning.
 * @param shown id of a node that is in sight in any case
 */
export function firstView(
  layout: Layout,
  frameWidth: number,
  shown?: string,
): { viewport: Viewport; heightPx: number } {
  const fitting = frameWidth > 0 ? (frameWidth - 2 * marginPx) / Math.max(1, layout.width) : 1
  const zoom = Math.min(1, Math.max(leastZoom, fitting))
  const wanted = layout.height * zoom + 2 * marginPx + belowPx
  const heightPx = Math.round(Math.min(maxHeightPx, Math.max(minHeightPx, wanted)))
  const isWide = layout.width * zoom > frameWidth - 2 * marginPx
  const isHigh = wanted > maxHeightPx
  const y = (heightPx - belowPx - layout.height * zoom) / 2
  const viewport = {
    x: isWide ? marginPx : Math.round((frameWidth - layout.width * zoom) / 2),
    y: Math.round(isHigh ? Math.min(marginPx, y) : y),
    zoom,
  }
  const box = layout.boxes.get(shown ?? '')
  const frame = { width: frameWidth, height: heightPx }
  return { heightPx, viewport: box && frameWidth > 0 ? viewShowing(viewport, box, frame) : viewport }
}

/** The least move after which a box is in sight, at the same size. */
export function viewShowing({ x, y, zoom }: Viewport, box: Box, frame: Size): Viewport {
  const move = (at: number, start: number, length: number, room: number): number => {
    const first = at + start * zoom - marginPx
    const last = at + (start + length) * zoom + marginPx
    if (first < 0) return at - first
    return last > room ? at - Math.min(last - room, first) : at
  }
  return { x: move(x, box.x, box.width, frame.width), y: move(y, box.y, box.height, frame.height), zoom }
}

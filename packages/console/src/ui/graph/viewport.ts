import type { Viewport } from '@xyflow/react'
import { type Box, type Layout, minHeightPx } from './layout'

const marginPx = 24
/** Badges hang over the last node. */
const overhangPx = 12
const maxHeightPx = 640
/** Smaller, nothing can be read; what does not fit is reached by moving. */
const leastZoom = 0.7

interface Size {
  width: number
  height: number
}

/** How a graph is seen first: whole where it can be read then, else its beginning; and how high its frame is. */
export function firstView(layout: Layout, frameWidth: number): { viewport: Viewport; heightPx: number } {
  const fitting = frameWidth > 0 ? (frameWidth - 2 * marginPx) / Math.max(1, layout.width) : 1
  const zoom = Math.min(1, Math.max(leastZoom, fitting))
  const wanted = layout.height * zoom + 2 * marginPx + overhangPx
  const heightPx = Math.round(Math.min(maxHeightPx, Math.max(minHeightPx, wanted)))
  const isWide = layout.width * zoom > frameWidth - 2 * marginPx
  const isHigh = wanted > maxHeightPx
  return {
    heightPx,
    viewport: {
      x: isWide ? marginPx : Math.round((frameWidth - layout.width * zoom) / 2),
      // Of one that is too high the middle is seen first, where it begins.
      y: Math.round(
        isHigh ? Math.min(marginPx, (heightPx - layout.height * zoom) / 2) : (heightPx - layout.height * zoom) / 2,
      ),
      zoom,
    },
  }
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

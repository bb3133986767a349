import type { Viewport } from '@xyflow/react'
import { type Box, boxWithNudges, type Layout, minHeightPx } from './layout'

const marginPx = 20
/** Below the graph: the controls, and badges that hang over the last node. */
const belowPx = 44
/** Share of the window's height, so that the whole frame can be visible at once. */
const mostOfWindow = 0.8
/** Below this, names are illegible (see `graph-node.css`); users pan to what does not fit. */
const leastZoom = 0.48

interface Size {
  width: number
  height: number
}

/**
 * The initial viewport of a graph and the height of its frame: the whole graph if it is legible. Otherwise, a node in the
 * centre, or the start of the graph, or the part with the most nodes if the start has far fewer.
 * @param room in pixels: the width of the frame, and the height of the window
 * @param centred id of the node in the centre
 */
export function firstView(
  layout: Layout,
  room: { frameWidth: number; windowHeight: number },
  centred?: string,
): { viewport: Viewport; heightPx: number } {
  const { frameWidth } = room
  const maxHeightPx = Math.max(minHeightPx, Math.round(room.windowHeight * mostOfWindow))
  const inner = frameWidth - 2 * marginPx
  const fittingWidth = frameWidth > 0 ? inner / Math.max(1, layout.width) : 1
  const fittingHeight = (maxHeightPx - 2 * marginPx - belowPx) / Math.max(1, layout.height)
  const zoom = Math.min(1, Math.max(leastZoom, Math.min(fittingWidth, fittingHeight)))
  const neededPx = layout.height * zoom + 2 * marginPx + belowPx
  const heightPx = Math.round(Math.min(maxHeightPx, Math.max(minHeightPx, neededPx)))
  const box = boxWithNudges(layout, centred ?? '')
  const at = (length: number, fromPx: number, roomPx: number, start: number, middle: number | undefined): number => {
    const freePx = roomPx - length * zoom
    if (freePx >= 0 || roomPx <= 0) return Math.round(fromPx + freePx / 2)
    const offset = middle === undefined ? -start * zoom : roomPx / 2 - middle * zoom
    return Math.round(fromPx + Math.min(0, Math.max(freePx, offset)))
  }
  const viewport = {
    x: at(layout.width, marginPx, inner, busiestStart(layout, inner / zoom), box && box.x + box.width / 2),
    y: at(layout.height, marginPx, heightPx - 2 * marginPx - belowPx, 0, box && box.y + box.height / 2),
    zoom,
  }
  return { heightPx, viewport }
}

/** How much of the most whole nodes the start of a graph must show to be preferred: users read from there. */
const leastShareAtStart = 0.8

/** The start of the part of a given width that has the most whole nodes, or that of the graph if it has nearly as many. */
function busiestStart({ boxes, width }: Layout, partWidth: number): number {
  const all = [...boxes.values()]
  const countFrom = (start: number) =>
    all.filter((box) => box.x >= start && box.x + box.width <= start + partWidth).length
  const starts = [...new Set(all.map(({ x }) => Math.max(0, Math.min(x, width - partWidth))))].sort((a, b) => a - b)
  let best = { start: 0, count: countFrom(0) }
  for (const start of starts) {
    const count = countFrom(start)
    if (count > best.count) best = { start, count }
  }
  // There may be lines in front of the first nodes.
  return best.start === starts[0] || countFrom(0) >= leastShareAtStart * best.count ? 0 : best.start
}

/** The smallest move that makes a box visible, at the same zoom. */
export function viewShowing({ x, y, zoom }: Viewport, box: Box, frame: Size): Viewport {
  const move = (at: number, start: number, length: number, room: number): number => {
    const first = at + start * zoom - marginPx
    const last = at + (start + length) * zoom + marginPx
    if (first < 0) return at - first
    return last > room ? at - Math.min(last - room, first) : at
  }
  return { x: move(x, box.x, box.width, frame.width), y: move(y, box.y, box.height, frame.height), zoom }
}

export type Side = 'left' | 'right' | 'top' | 'bottom'

/** The sides of the frame beyond which the graph continues. */
export function hiddenSides({ width, height }: Size, { x, y, zoom }: Viewport, frame: Size): Side[] {
  const continues: Record<Side, boolean> = {
    left: x < -roundingPx,
    right: x + width * zoom > frame.width + roundingPx,
    top: y < -roundingPx,
    bottom: y + height * zoom > frame.height + roundingPx,
  }
  return sides.filter((side) => continues[side])
}

const sides: readonly Side[] = ['left', 'right', 'top', 'bottom']

/** Positions are whole pixels, but lengths are not. */
const roundingPx = 1

import type { Graph } from '@slipway/model/graphs/graph'
import type { Layout } from './layout'

export type WalkKey = 'ArrowRight' | 'ArrowLeft' | 'ArrowUp' | 'ArrowDown' | 'Home' | 'End'
export const isWalkKey = (key: string): key is WalkKey =>
  ['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown', 'Home', 'End'].includes(key)

/**
 * The node that a key leads to: left and right along the lines, or to the next rank if there is no line; up and down
 * within the rank.
 * @returns the node itself at the edge of the graph
 */
export function walk({ edges }: Pick<Graph, 'edges'>, { boxes, ranks }: Layout, from: string, key: WalkKey): string {
  const rank = ranks.findIndex((ids) => ids.includes(from))
  const ids = ranks[rank] ?? []
  const nearest = (candidates: readonly string[]): string | undefined => {
    const middle = (id: string) => (boxes.get(id)?.y ?? 0) - (boxes.get(from)?.y ?? 0)
    return [...candidates].sort((a, b) => Math.abs(middle(a)) - Math.abs(middle(b)))[0]
  }
  switch (key) {
    case 'ArrowRight':
      return (
        nearest(edges.filter((edge) => edge.from === from).map(({ to }) => to)) ??
        nearest(ranks[rank + 1] ?? []) ??
        from
      )
    case 'ArrowLeft':
      return (
        nearest(edges.filter((edge) => edge.to === from).map((edge) => edge.from)) ??
        nearest(ranks[rank - 1] ?? []) ??
        from
      )
    case 'ArrowUp':
      return ids[ids.indexOf(from) - 1] ?? from
    case 'ArrowDown':
      return ids[ids.indexOf(from) + 1] ?? from
    case 'Home':
      return ranks[0]?.[0] ?? from
    case 'End':
      return ranks.at(-1)?.at(-1) ?? from
  }
}

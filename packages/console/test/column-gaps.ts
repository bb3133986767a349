/** The gaps between the ranks of a rendered graph, in pixels, without duplicates. */
export function columnGaps(graph: HTMLElement): number[] {
  const widths = new Map<number, number>()
  for (const { style } of graph.querySelectorAll<HTMLElement>('.react-flow__node')) {
    const [, x] = /translate\(([\d.-]+)px/.exec(style.transform) ?? []
    widths.set(Number(x), Number.parseFloat(style.width))
  }
  const ranks = [...widths].sort(([a], [b]) => a - b)
  return [...new Set(ranks.slice(1).map(([x], before) => x - (ranks[before]?.[0] ?? 0) - (ranks[before]?.[1] ?? 0)))]
}

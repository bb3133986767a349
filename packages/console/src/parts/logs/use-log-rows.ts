import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useMemo } from 'react'
import { logRows } from './log-rows'
import { footOf } from './LogRowView'
import type { StepView } from './step-view'

const lineHeightPx = 20
const otherHeightPx = 36
const overscanRows = 24

/**
 * The rows of a log, and those of them that are visible.
 * @param version changes whenever the lines change
 */
export function useLogRows(
  scroller: RefObject<HTMLElement | null>,
  steps: readonly StepView[],
  version: number,
  folded: ReadonlySet<string>,
) {
  const rows = useMemo(
    () =>
      logRows(
        steps.map((step) => ({
          container: step.container,
          count: step.lines.count,
          groups: step.lines.groups,
          hasFoot: footOf(step) !== undefined,
        })),
        folded,
      ),
    // If the keys change, the virtualizer measures every row again: half a million for each frame of scrolling. The
    // lines change with the version, which the linter cannot see.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [steps, version, folded],
  )
  // The virtualizer renders its caller again by itself; nothing here is cached between renders.
  // eslint-disable-next-line react-hooks/incompatible-library
  const virtualizer = useVirtualizer({
    count: rows.count,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows.others.has(index) ? otherHeightPx : lineHeightPx),
    getItemKey: rows.keyAt,
    overscan: overscanRows,
    useFlushSync: false,
  })
  return {
    rows,
    virtualizer,
    visible: virtualizer.getVirtualItems().map((item) => ({ ...item, row: rows.at(item.index) })),
  }
}

export type VisibleRow = ReturnType<typeof useLogRows>['visible'][number]

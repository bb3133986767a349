import { type KeyboardEvent, type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { useStored } from '../../lib/stored'
import type { MenuChoice } from '../../ui/actions/MenuPopup'
import { useRegisterShortcuts } from '../../ui/page/page-shortcuts'
import { FollowButton } from './FollowButton'
import { useSavedScroll } from './saved-scroll'
import { useSelection } from './line-selection'
import { focusLine, logKeys, onLogKey } from './log-keyboard'
import { lineHash, type LineRange } from './log-link'
import { useLogNavigation } from './log-navigation'
import { errorsOf, type LogPosition, nextPosition } from './log-position'
import { logTimes, logWrap } from './log-preferences'
import { lineKey } from './log-rows'
import { useLogQuery, useLogSearch } from './log-search-state'
import { LogRows } from './LogRows'
import { shownLength } from './LogText'
import { LogToolbar } from './LogToolbar'
import { useFolds } from './use-folds'
import { useFollow } from './use-follow'
import { useHits } from './use-hits'
import { useLogRows } from './use-log-rows'
import { viewMenu } from './view-menu'
import type { StepView } from './step-view'
import './LogViewer.css'

interface LogViewerProps {
  /** Identity of the log, by which its scroll position is restored. */
  source: object
  /** The subject of the log, as in `Log of {noun}`. */
  noun: string
  steps: readonly StepView[]
  /** Changes whenever the lines change. */
  version: number
  /** Whether more lines may arrive. */
  isRunning: boolean
  isCompact: boolean
  downloads: MenuChoice[]
  onRetry: () => void
  /** State of the log. */
  children: ReactNode
}

/**
 * The log of a task: its steps as collapsible parts, one below the other. Only visible rows are rendered, so that half
 * a million lines cost no more than fifty.
 */
export function LogViewer(props: LogViewerProps) {
  const { source, noun, steps, version, isRunning, isCompact, onRetry } = props
  const [root, setRoot] = useState<HTMLElement | null>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const searchInput = useRef<HTMLInputElement>(null)
  const folds = useFolds()
  const { unfoldLine, foldAll, unfoldAll } = folds
  const [expandedLines, setExpandedLines] = useState<ReadonlySet<number>>(new Set())
  const [times, setTimes] = useStored(logTimes)
  const [isWrapped, setIsWrapped] = useStored(logWrap)
  const [query, setQuery] = useLogQuery()
  const search = useLogSearch(steps, version, query)
  const { selected, select } = useSelection()
  useRegisterShortcuts(logKeys)

  const { rows, virtualizer, visible } = useLogRows(scroller, steps, version, folds.folded)
  const totalPx = virtualizer.getTotalSize()
  const follow = useFollow(scroller, isRunning && !selected, totalPx)
  useSavedScroll(scroller, source, !selected && !follow.isFollowing)

  const { position, goTo, stay } = useLogNavigation(steps, selected, {
    reveal(step, line) {
      follow.setIsFollowing(false)
      unfoldLine(step, line)
    },
    show(to, hasFocus) {
      virtualizer.scrollToIndex(rows.indexOf(to.step, to.line), { align: 'center' })
      if (hasFocus) focusLine(scroller.current, to, steps)
    },
  })

  const topPosition = (): LogPosition => {
    const row = rows.at(virtualizer.range?.startIndex ?? 0)
    return { step: row.step, line: row.kind === 'line' ? row.line : 0 }
  }
  const hits = useHits({
    steps,
    search,
    setQuery,
    scroller,
    startFrom: () => position ?? topPosition(),
    goTo,
    // A match in the truncated part of a line would not be visible.
    onHit: ({ step, line }, end) => end > shownLength && expandLine(lineKey(step, line)),
  })

  const errors = errorsOf(steps)
  const stepError = (direction: 1 | -1) => goTo(nextPosition(errors, position, direction))

  // Lines and menus are `memo`: with stable functions, scrolling renders only the lines that become visible.
  const expandLine = useCallback((rowKey: number) => setExpandedLines((before) => new Set([...before, rowKey])), [])
  const view = useMemo(
    () =>
      viewMenu({
        times,
        setTimes,
        hasTimes: steps.some(({ lines }) => lines.hasTimes),
        isWrapped,
        setIsWrapped,
        foldAll: () => foldAll(steps),
        unfoldAll,
        selected,
        root,
      }),
    [steps, times, setTimes, isWrapped, setIsWrapped, foldAll, unfoldAll, selected, root],
  )

  const onKeyDown = (event: KeyboardEvent) =>
    onLogKey(event, {
      steps,
      rows,
      scroller: scroller.current,
      searchInput,
      selected,
      select,
      goTo,
      stepHit: query.text ? hits.stepHit : undefined,
      stepError,
    })
  const onSelect = (range: LineRange, at: LogPosition) => {
    select(selected && lineHash(selected) === lineHash(range) ? undefined : range)
    stay(at, range)
  }

  return (
    <div
      ref={setRoot}
      className="slipway-log"
      data-wrap={isWrapped || undefined}
      data-compact={isCompact || undefined}
      onKeyDown={onKeyDown}
    >
      <LogToolbar
        label={`Find in the log of ${noun}`}
        searchInput={searchInput}
        query={query}
        onQuery={hits.seek}
        search={search}
        current={hits.current + 1}
        onStep={hits.stepHit}
        errorCount={errors.reduce((sum, { length }) => sum + length, 0)}
        onError={stepError}
        view={view}
        downloads={props.downloads}
      >
        {props.children}
      </LogToolbar>
      <div className="slipway-log__frame">
        <div
          ref={scroller}
          className="slipway-log__scroller"
          // A region that can be focused, since it scrolls. Not live: new lines must not be announced.
          role="log"
          aria-live="off"
          aria-label={`Log of ${noun}`}
          tabIndex={0}
          onScroll={follow.onScroll}
        >
          <div style={{ height: totalPx }} />
          <LogRows
            visible={visible}
            steps={steps}
            folds={folds}
            hits={hits}
            position={position}
            selected={selected}
            onSelect={onSelect}
            expandedLines={expandedLines}
            expandLine={expandLine}
            times={times}
            isWrapped={isWrapped}
            measure={virtualizer.measureElement}
            onRetry={onRetry}
          />
        </div>
        {isRunning && !follow.isFollowing && (
          <FollowButton
            lineCount={steps.reduce((sum, { lines }) => sum + lines.count, 0)}
            onFollow={() => {
              stay(undefined, undefined)
              if (selected) select(undefined)
              follow.setIsFollowing(true)
            }}
          />
        )}
      </div>
    </div>
  )
}

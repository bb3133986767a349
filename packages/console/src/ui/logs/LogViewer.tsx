import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { useStored } from '../../lib/stored'
import type { MenuChoice } from '../actions/MenuPopup'
import { useRegisterShortcuts } from '../page/page-shortcuts'
import { FollowButton } from './FollowButton'
import { useSavedScroll } from './saved-scroll'
import { extendSelection, isIn, useSelection } from './line-selection'
import { focusLine, indexOfRow, isLineNumber, logKeys, onLogKey } from './log-keyboard'
import { lineHash } from './log-link'
import { useLogNavigation } from './log-navigation'
import { errorsOf, type LogPosition, nextPosition } from './log-position'
import { logTimes, logWrap } from './log-preferences'
import { groupFold, lineKey, type LogRow, logRows, stepFold } from './log-rows'
import { useLogQuery, useLogSearch } from './log-search-state'
import { footOf, LogLineView, marksOf, StepFoot, StepHead } from './LogRowView'
import { shownLength } from './LogText'
import { LogToolbar } from './LogToolbar'
import { useFolds } from './use-folds'
import { useFollow } from './use-follow'
import { useHits } from './use-hits'
import { viewMenu } from './view-menu'
import type { StepView } from './step-view'
import './LogViewer.css'

const lineHeightPx = 20
const otherHeightPx = 36
const overscanRows = 24

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
  const root = useRef<HTMLDivElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const searchInput = useRef<HTMLInputElement>(null)
  const { folded, toggleStep, toggleGroup, unfoldLine, foldAll, unfoldAll } = useFolds()
  const [expandedLines, setExpandedLines] = useState<ReadonlySet<number>>(new Set())
  const [times, setTimes] = useStored(logTimes)
  const [isWrapped, setIsWrapped] = useStored(logWrap)
  const [query, setQuery] = useLogQuery()
  const search = useLogSearch(steps, version, query)
  const { selected, select } = useSelection()
  useRegisterShortcuts(logKeys)

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
  const { byStep, current, currentIn, stepHit, seek } = useHits({
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
    [steps, times, setTimes, isWrapped, setIsWrapped, foldAll, unfoldAll, selected],
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
      stepHit: query.text ? stepHit : undefined,
      stepError,
    })
  /** Handles clicks on a line number, which is a link to its line. */
  const onClick = (event: MouseEvent) => {
    // Let the browser open a new tab or window.
    if (event.ctrlKey || event.metaKey || !isLineNumber(event.target)) return
    const row = rows.at(indexOfRow(event.target))
    const step = steps[row.step]
    if (row.kind !== 'line' || !step) return
    event.preventDefault()
    const number = row.line + 1
    const next = event.shiftKey
      ? extendSelection(selected, step.name, number)
      : { step: step.name, from: number, to: number }
    select(selected && lineHash(selected) === lineHash(next) ? undefined : next)
    stay({ step: row.step, line: row.line }, next)
  }

  const items = virtualizer.getVirtualItems()
  const rendered = items.map((item) => ({ ...item, row: rows.at(item.index) }))
  const tabStop = tabStopOf(rendered, position)
  return (
    <div
      ref={root}
      className="slipway-log"
      data-wrap={isWrapped || undefined}
      data-compact={isCompact || undefined}
      onKeyDown={onKeyDown}
    >
      <LogToolbar
        label={`Find in the log of ${noun}`}
        searchInput={searchInput}
        query={query}
        onQuery={seek}
        search={search}
        current={current + 1}
        onStep={stepHit}
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
          <div
            className="slipway-log__rows"
            onClick={onClick}
            style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}
          >
            {rendered.map(({ key, index, row }) => {
              const step = steps[row.step]
              if (!step) return null
              if (row.kind !== 'line') {
                if (row.kind === 'foot') return <StepFoot key={key} step={step} onRetry={onRetry} />
                return (
                  <StepHead
                    key={key}
                    step={step}
                    isFolded={folded.has(stepFold(step.container))}
                    onFold={() => toggleStep(step.container)}
                    hitCount={byStep[row.step]?.lines.length ?? 0}
                  />
                )
              }
              const { name, container, lines } = step
              const isExpanded = expandedLines.has(Number(key))
              return (
                <LogLineView
                  key={key}
                  index={index}
                  rowKey={Number(key)}
                  step={name}
                  container={container}
                  lines={lines}
                  line={row.line}
                  text={lines.text(row.line)}
                  generation={lines.generation}
                  isSettled={row.line < lines.settled}
                  group={row.group}
                  isFolded={row.group !== undefined && folded.has(groupFold(container, row.group))}
                  onFold={toggleGroup}
                  times={lines.hasTimes ? times : 'off'}
                  marks={marksOf(byStep[row.step] ?? noHits, row.line, currentIn(row.step))}
                  isSelected={isIn(selected, name, row.line + 1) || isAt(position, row)}
                  isExpanded={isExpanded}
                  onExpand={expandLine}
                  isStop={index === tabStop}
                  measure={isWrapped || isExpanded ? virtualizer.measureElement : undefined}
                />
              )
            })}
          </div>
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

const noHits = { lines: [], starts: [], ends: [] }

const isAt = (position: LogPosition | undefined, row: LogRow): boolean =>
  row.kind === 'line' && position?.step === row.step && position.line === row.line

/** The row whose line number is a tab stop: that of the current position, else the first rendered line. */
function tabStopOf(
  rendered: readonly { index: number; row: LogRow }[],
  position: LogPosition | undefined,
): number | undefined {
  const lines = rendered.filter(({ row }) => row.kind === 'line')
  return (lines.find(({ row }) => isAt(position, row)) ?? lines[0])?.index
}

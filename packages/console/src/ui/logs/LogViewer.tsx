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
  /** What is looked at: coming back to it finds it where it was left. */
  source: object
  /** Whose log it is, as in `Log of {thing}`. */
  noun: string
  steps: readonly StepView[]
  /** Another number whenever there are other lines. */
  version: number
  /** More may come. */
  isRunning: boolean
  isCompact: boolean
  downloads: MenuChoice[]
  onRetry: () => void
  /** How the log is doing. */
  children: ReactNode
}

/**
 * The log of a task: its steps as parts that fold, one below the other. Only the rows in sight are drawn, so that
 * half a million lines are no more work than fifty.
 */
export function LogViewer(props: LogViewerProps) {
  const { source, noun, steps, version, isRunning, isCompact, onRetry } = props
  const root = useRef<HTMLDivElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const searchInput = useRef<HTMLInputElement>(null)
  const { folded, toggleStep, toggleGroup, unfoldLine, foldAll, unfoldAll } = useFolds()
  const [whole, setWhole] = useState<ReadonlySet<number>>(new Set())
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
    // With other keys the virtualizer measures every row again: half a million for each frame of scrolling. The lines
    // are read anew for each version, which no value here shows.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [steps, version, folded],
  )
  // The virtualizer draws its caller again by itself; nothing here is kept from one drawing to the next.
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

  const { place, goTo, stay } = useLogNavigation(steps, selected, {
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
    startFrom: () => place ?? topPosition(),
    goTo,
    // What is cut off would be found and not seen.
    onHit: ({ step, line }, end) => end > shownLength && showWhole(lineKey(step, line)),
  })

  const errors = errorsOf(steps)
  const stepError = (direction: 1 | -1) => goTo(nextPosition(errors, place, direction))

  // Lines and menus are `memo`: with the same functions a frame of scrolling renders the lines that come into sight alone.
  const showWhole = useCallback((rowKey: number) => setWhole((before) => new Set([...before, rowKey])), [])
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
  /** Of the number of a line, a link to which it is. */
  const onClick = (event: MouseEvent) => {
    // A new tab or window is the browser's business.
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
  const drawn = items.map((item) => ({ ...item, row: rows.at(item.index) }))
  const stop = stopOf(drawn, place)
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
          // A region of its own, since it scrolls; nobody wants half a million lines read out as they come.
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
            {drawn.map(({ key, index, row }) => {
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
              const isExpanded = whole.has(Number(key))
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
                  isSelected={isIn(selected, name, row.line + 1) || isAt(place, row)}
                  isExpanded={isExpanded}
                  onExpand={showWhole}
                  isStop={index === stop}
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

const isAt = (place: LogPosition | undefined, row: LogRow): boolean =>
  row.kind === 'line' && place?.step === row.step && place.line === row.line

/** The row whose number the tabulator comes to: where one is, else the first line that is drawn. */
function stopOf(drawn: readonly { index: number; row: LogRow }[], place: LogPosition | undefined): number | undefined {
  const lines = drawn.filter(({ row }) => row.kind === 'line')
  return (lines.find(({ row }) => isAt(place, row)) ?? lines[0])?.index
}

import type { LogGroup } from '@slipway/model/logs/log-lines'
import type { LogQuery } from '@slipway/model/logs/log-search'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useStored } from '../../lib/stored'
import type { MenuChoice } from '../actions/MenuPopup'
import { useRegisterShortcuts } from '../page/page-shortcuts'
import { FollowButton } from './FollowButton'
import { useSavedScroll } from './saved-scroll'
import { scrollIntoView } from './scroll-into-view'
import { extendSelection, isIn, useSelection } from './line-selection'
import { logKeys } from './log-keys'
import { lineHash } from './log-link'
import { useLogNavigation } from './log-navigation'
import { errorsOf, type LogPosition, nextPosition, positionAt } from './log-position'
import { logTimes, logWrap } from './log-preferences'
import { groupFold, lineKey, type LogRow, logRows, stepFold, unfolded } from './log-rows'
import type { LogSearch } from './log-search'
import { useLogQuery, useLogSearch } from './log-search-state'
import { footOf, LogLineView, StepFoot, StepHead } from './LogRowView'
import { shownLength } from './LogText'
import { LogToolbar } from './LogToolbar'
import { useFollow } from './use-follow'
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
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
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
    reveal({ container, lines }, line) {
      follow.setIsFollowing(false)
      setFolded((before) => unfolded(before, { container, groups: lines.groups }, line))
    },
    show(to, hasFocus) {
      virtualizer.scrollToIndex(rows.indexOf(to.step, to.line), { align: 'center' })
      if (hasFocus) focusLine(scroller.current, to, steps)
    },
  })

  const hits = steps.map(({ container }) => search.hitsIn(container))
  const hitLines = hits.map(({ lines }) => lines)
  const [hit, setHit] = useState<{ search: object; index: number }>()
  const currentHit = hit?.search === search ? hit.index : -1
  const hitsBefore = (step: number) => hitLines.slice(0, step).reduce((sum, { length }) => sum + length, 0)
  const endOfHit = (step: number, index: number) => hits[step]?.ends[index - hitsBefore(step)] ?? 0
  const stepHit = (direction: 1 | -1) => {
    const from = place ?? topPlace()
    const before = hitsBefore(from.step)
    const near = (hitLines[from.step] ?? []).findIndex((line) => line >= from.line)
    const first = before + (near < 0 ? (hitLines[from.step]?.length ?? 0) : near)
    const next = currentHit >= 0 ? currentHit + direction : direction === 1 ? first : first - 1
    const index = search.total === 0 ? -1 : (next + search.total) % search.total
    setHit({ search, index })
    const to = positionAt(hitLines, index)
    goTo(to)
    // What is cut off would be found and not seen.
    if (to && endOfHit(to.step, index) > shownLength) showWhole(lineKey(to.step, to.line))
  }
  useEffect(() => {
    if (!hit || !scroller.current) return
    const log = scroller.current
    const look = () => {
      const mark = log.querySelector<HTMLElement>('mark[data-current]')
      if (mark) scrollIntoView(log, mark)
    }
    // The row is drawn in the frame after that in which it is scrolled to.
    let frame = requestAnimationFrame(() => (frame = requestAnimationFrame(look)))
    return () => cancelAnimationFrame(frame)
  }, [hit])
  // As in a browser: what is typed leads to the first of what is found, from here on. Until it is looked for there is
  // the search before.
  const searchBefore = useRef<LogSearch>(undefined)
  useEffect(() => {
    if (!searchBefore.current || searchBefore.current === search || search.isRunning) return
    searchBefore.current = undefined
    if (search.total > 0) stepHit(1)
  })
  const seek = (change: Partial<LogQuery>) => {
    searchBefore.current = search
    setQuery(change)
  }
  const topPlace = (): LogPosition => {
    const row = rows.at(virtualizer.range?.startIndex ?? 0)
    return { step: row.step, line: row.kind === 'line' ? row.line : 0 }
  }
  const errors = errorsOf(steps)
  const stepError = (direction: 1 | -1) => goTo(nextPosition(errors, place, direction))

  // Lines and menus are `memo`: with the same functions a frame of scrolling renders the lines that come into sight alone.
  const toggle = useCallback(
    (fold: string) =>
      setFolded((before) => {
        const after = new Set(before)
        if (!after.delete(fold)) after.add(fold)
        return after
      }),
    [],
  )
  const toggleGroup = useCallback(
    (step: StepView, group: LogGroup) => toggle(groupFold(step.container, group)),
    [toggle],
  )
  const showWhole = useCallback((rowKey: number) => setWhole((before) => new Set([...before, rowKey])), [])
  const view = useMemo(
    () =>
      viewMenu({
        times,
        setTimes,
        hasTimes: steps.some(({ lines }) => lines.hasTimes),
        isWrapped,
        setIsWrapped,
        foldAll: () => setFolded(allFolds(steps)),
        unfoldAll: () => setFolded(new Set()),
        selected,
        root,
      }),
    [steps, times, setTimes, isWrapped, setIsWrapped, selected],
  )

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    const key = event.key.toLowerCase()
    if (key === '/') searchInput.current?.focus()
    else if (key === 'e') stepError(event.shiftKey ? -1 : 1)
    else if (key === 'n' && query.text) stepHit(event.shiftKey ? -1 : 1)
    else if (event.key === 'Home' && scroller.current) scroller.current.scrollTop = 0
    else if (event.key === 'End' && scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight
    else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && isLineNumber(event.target)) {
      const next = nextLine(rows, indexOfRow(event.target), event.key === 'ArrowDown' ? 1 : -1)
      const step = next && steps[next.step]
      if (!next || !step) return
      if (event.shiftKey) select(extendSelection(selected, step.name, next.line + 1))
      goTo(next, true)
    } else return
    event.preventDefault()
    // The same keys may mean something to the page.
    event.stopPropagation()
  }

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
        current={currentHit + 1}
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
                const fold = stepFold(step.container)
                if (row.kind === 'foot') return <StepFoot key={key} step={step} onRetry={onRetry} />
                return (
                  <StepHead
                    key={key}
                    step={step}
                    isFolded={folded.has(fold)}
                    onFold={() => toggle(fold)}
                    hitCount={hitLines[row.step]?.length ?? 0}
                  />
                )
              }
              const fold = row.group && groupFold(step.container, row.group)
              const isWhole = whole.has(Number(key))
              const before = hitsBefore(row.step)
              return (
                <LogLineView
                  key={key}
                  index={index}
                  rowKey={Number(key)}
                  step={step}
                  line={row.line}
                  group={row.group}
                  isFolded={fold !== undefined && folded.has(fold)}
                  onFold={toggleGroup}
                  times={times}
                  hits={hits[row.step] ?? noHits}
                  currentHit={currentHit - before}
                  isSelected={isIn(selected, step.name, row.line + 1) || isAt(place, row)}
                  isExpanded={isWhole}
                  onExpand={showWhole}
                  isStop={index === stop}
                  measure={isWrapped || isWhole ? virtualizer.measureElement : undefined}
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

const allFolds = (steps: readonly StepView[]): ReadonlySet<string> =>
  new Set(
    steps.flatMap(({ container, lines }) => [
      stepFold(container),
      ...lines.groups.map((group) => groupFold(container, group)),
    ]),
  )

const isAt = (place: LogPosition | undefined, row: LogRow): boolean =>
  row.kind === 'line' && place?.step === row.step && place.line === row.line

const isTyping = (target: EventTarget): boolean => target instanceof HTMLInputElement

const isLineNumber = (target: EventTarget): target is HTMLElement =>
  target instanceof HTMLElement && target.hasAttribute('data-line')

const indexOfRow = (target: HTMLElement): number => Number(target.closest('[data-index]')?.getAttribute('data-index'))

function nextLine(rows: { count: number; at(index: number): LogRow }, from: number, direction: 1 | -1) {
  for (let index = from + direction; index >= 0 && index < rows.count; index += direction) {
    const row = rows.at(index)
    if (row.kind === 'line') return { step: row.step, line: row.line }
  }
  return undefined
}

/** The row whose number the tabulator comes to: where one is, else the first line that is drawn. */
function stopOf(drawn: readonly { index: number; row: LogRow }[], place: LogPosition | undefined): number | undefined {
  const lines = drawn.filter(({ row }) => row.kind === 'line')
  return (lines.find(({ row }) => isAt(place, row)) ?? lines[0])?.index
}

/** It may be drawn only after the scrolling that has just been asked for. */
function focusLine(scroller: HTMLElement | null, { step, line }: LogPosition, steps: readonly StepView[]): void {
  const id = `log-${steps[step]?.container}-${line + 1}`
  const focus = () => scroller?.querySelector<HTMLElement>(`#${CSS.escape(id)}`)?.focus({ preventScroll: true })
  focus()
  requestAnimationFrame(focus)
}

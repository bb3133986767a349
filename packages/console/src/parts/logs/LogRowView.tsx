import { Button } from '@patternfly/react-core'
import ClosedIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-caret-right-icon'
import OpenIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-caret-down-icon'
import { msBetween } from '@slipway/model/duration'
import type { LogGroup, LogLines } from '@slipway/model/logs/log-lines'
import { firstHitFrom, type LogHits } from '@slipway/model/logs/log-search'
import { isErrorLine, logCommandOf } from '@slipway/model/logs/log-commands'
import { memo, type Ref, useMemo } from 'react'
import { asSentence, failureText } from '../../api/messages'
import { formatDuration } from '../../lib/dates'
import { StatusLabel } from '../status/StatusLabel'
import { lineHash } from './log-link'
import type { LogTimes } from './log-preferences'
import { clockTime, timeSince } from './log-times'
import { LogText, type Mark, shownLength, writtenLength } from './LogText'
import type { StepView } from './step-view'

interface HeadProps {
  step: StepView
  isFolded: boolean
  onFold: () => void
  hitCount: number
}

/** Header of a step: its name, status and duration. */
export function StepHead({ step, isFolded, onFold, hitCount }: HeadProps) {
  const { name, status, verdict, exitCode, exitReason, startTime, endTime } = step
  const tookMs = msBetween(startTime, endTime)
  return (
    <div className="slipway-log__head">
      <button type="button" className="slipway-log__fold" aria-expanded={!isFolded} onClick={onFold}>
        {isFolded ? <ClosedIcon /> : <OpenIcon />}
        {name}
      </button>
      {status && <StatusLabel status={status} verdict={verdict} />}
      {exitReason && <span>{exitReason}</span>}
      {exitCode ? <span>exit code {exitCode}</span> : null}
      {tookMs !== undefined && <span>{formatDuration(tookMs)}</span>}
      {isFolded && <span>{step.lines.count.toLocaleString('en')} lines</span>}
      {hitCount > 0 && <span>{hitCount.toLocaleString('en')} found</span>}
    </div>
  )
}

/** Text below the lines of a step that needs one; `undefined` for any other step. */
export function footOf({
  state,
  lines,
  status,
  note,
  name,
}: Pick<StepView, 'state' | 'lines' | 'status' | 'note' | 'name'>): string | undefined {
  switch (state.phase) {
    case 'waiting':
      return [`Waiting for this ${/^sidecar-/.test(name) ? 'sidecar' : 'step'} to start.`, note]
        .filter(Boolean)
        .join(' ')
    case 'loading':
      return lines.count === 0 ? 'Loading…' : undefined
    case 'live':
    case 'polling':
      return lines.count === 0 ? 'No output yet.' : undefined
    case 'reconnecting':
      return `The connection was lost at ${clockTime(state.sinceMs)}. ${asSentence(failureText(state.error))} Trying again…`
    case 'failed':
      return failureText(state.error)
    case 'ended':
      if (lines.count > 0) return undefined
      return status === 'Skipped' ? 'This step did not run.' : 'No output.'
    case 'paused':
      return undefined
  }
}

export function StepFoot({ step, onRetry }: { step: StepView; onRetry: () => void }) {
  return (
    <div className="slipway-log__foot">
      {footOf(step)}
      {step.state.phase === 'failed' && (
        <Button variant="link" isInline onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}

interface LineProps {
  /** Name of the step. */
  step: string
  container: string
  /** One object, which new lines mutate: what the line shows of it is in `text`, `generation` and `isSettled`. */
  lines: LogLines
  line: number
  text: string
  generation: number
  /** Whether the line changes no more. */
  isSettled: boolean
  group: LogGroup | undefined
  isFolded: boolean
  onFold: (container: string, group: LogGroup) => void
  times: LogTimes
  marks: readonly Mark[]
  isSelected: boolean
  isExpanded: boolean
  onExpand: (rowKey: number) => void
  /** Only one of the line numbers is a tab stop; arrow keys lead on from there. */
  isStop: boolean
  index: number
  /** Does not change when rows above are added or removed. */
  rowKey: number
  measure: Ref<HTMLDivElement> | undefined
}

/** One line. Scrolling renders only the lines that come into view, since the list handles clicks for all of them. */
export const LogLineView = memo(function LogLineView({
  step,
  container,
  lines,
  line,
  text,
  generation,
  isSettled,
  group,
  isFolded,
  onFold,
  times,
  marks,
  isSelected,
  isExpanded,
  onExpand,
  isStop,
  index,
  rowKey,
  measure,
}: LineProps) {
  const longest = isExpanded || text.length <= shownLength ? undefined : writtenLength
  // For a line of a megabyte this takes a third of a second, and selecting the line renders it again.
  const styled = useMemo(
    () => lines.styled(line, longest),
    // The line being written changes, and all lines do when a log starts over.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [lines, line, longest, text, generation, isSettled],
  )
  // A line with matches is shown as it was written, with the matches marked.
  const command = marks.length === 0 ? logCommandOf(text) : undefined
  return (
    <div
      ref={measure}
      data-index={index}
      className="slipway-log__line"
      data-error={isErrorLine(text) || undefined}
      data-selected={isSelected || undefined}
      data-whole={isExpanded || undefined}
    >
      <a
        href={lineHash({ step, from: line + 1, to: line + 1 })}
        id={`log-${container}-${line + 1}`}
        className="slipway-log__number"
        aria-label={`Line ${line + 1} of ${step}`}
        aria-current={isSelected || undefined}
        tabIndex={isStop ? 0 : -1}
        data-line={line}
      >
        {line + 1}
      </a>
      {times !== 'off' && <LineTime lines={lines} line={line} times={times} />}
      <span className="slipway-log__text">
        {group ? (
          <button
            type="button"
            className="slipway-log__fold"
            aria-expanded={!isFolded}
            onClick={() => onFold(container, group)}
          >
            {isFolded ? <ClosedIcon /> : <OpenIcon />}
            {group.title || 'Group'}
          </button>
        ) : command?.kind === 'error' || command?.kind === 'warning' ? (
          <>
            <strong>{command.kind === 'error' ? 'Error' : 'Warning'}:</strong> {command.text}
          </>
        ) : (
          <LogText
            styled={styled}
            length={text.length}
            marks={marks}
            isExpanded={isExpanded}
            onExpand={() => onExpand(rowKey)}
          />
        )}
      </span>
    </div>
  )
})

const noMarks: readonly Mark[] = []

/** What was found in a line. */
export function marksOf(hits: LogHits, line: number, current: number): readonly Mark[] {
  const first = firstHitFrom(hits, line)
  if (hits.lines[first] !== line) return noMarks
  const marks: Mark[] = []
  for (let at = first; hits.lines[at] === line; at++) {
    marks.push({ start: hits.starts[at] ?? 0, end: hits.ends[at] ?? 0, isCurrent: at === current })
  }
  return marks
}

function LineTime({ lines, line, times }: { lines: LogLines; line: number; times: LogTimes }) {
  const timeMs = lines.timeMs(line)
  if (timeMs === undefined) return <span className="slipway-log__time" />
  const startMs = lines.timeMs(0) ?? timeMs
  return (
    <time
      className="slipway-log__time"
      dateTime={new Date(timeMs).toISOString()}
      title={new Date(timeMs).toISOString()}
    >
      {times === 'absolute' ? clockTime(timeMs) : timeSince(timeMs, startMs)}
    </time>
  )
}

import type { MouseEvent } from 'react'
import { extendSelection, isIn } from './line-selection'
import { indexOfRow, isLineNumber } from './log-keyboard'
import type { LineRange } from './log-link'
import type { LogPosition } from './log-position'
import type { LogTimes } from './log-preferences'
import { groupFold, type LogRow, stepFold } from './log-rows'
import { LogLineView, marksOf, StepFoot, StepHead } from './LogRowView'
import type { StepView } from './step-view'
import type { useFolds } from './use-folds'
import type { useHits } from './use-hits'
import type { VisibleRow } from './use-log-rows'

interface LogRowsProps {
  visible: readonly VisibleRow[]
  steps: readonly StepView[]
  folds: Pick<ReturnType<typeof useFolds>, 'folded' | 'toggleStep' | 'toggleGroup'>
  hits: Pick<ReturnType<typeof useHits>, 'byStep' | 'currentIn'>
  position: LogPosition | undefined
  selected: LineRange | undefined
  /** Called with the lines that a click on a line number selects. */
  onSelect: (range: LineRange, at: LogPosition) => void
  /** Keys of the lines that are shown in full. */
  expandedLines: ReadonlySet<number>
  /** Must not change between renders, as lines are `memo`. */
  expandLine: (rowKey: number) => void
  times: LogTimes
  isWrapped: boolean
  measure: (row: HTMLElement | null) => void
  onRetry: () => void
}

/** The rows of a log that are visible. */
export function LogRows(props: LogRowsProps) {
  const { visible, steps, folds, hits, position, selected, expandedLines, times } = props

  /** Handles clicks on a line number, which is a link to its line. */
  const onClick = (event: MouseEvent) => {
    // Let the browser open a new tab or window.
    if (event.ctrlKey || event.metaKey || !isLineNumber(event.target)) return
    const index = indexOfRow(event.target)
    const row = visible.find((one) => one.index === index)?.row
    const step = row && steps[row.step]
    if (row?.kind !== 'line' || !step) return
    event.preventDefault()
    const number = row.line + 1
    props.onSelect(
      event.shiftKey ? extendSelection(selected, step.name, number) : { step: step.name, from: number, to: number },
      { step: row.step, line: row.line },
    )
  }

  const tabStop = tabStopOf(visible, position)
  return (
    <div
      className="slipway-log__rows"
      onClick={onClick}
      style={{ transform: `translateY(${visible[0]?.start ?? 0}px)` }}
    >
      {visible.map(({ key, index, row }) => {
        const step = steps[row.step]
        if (!step) return null
        const { name, container, lines } = step
        if (row.kind !== 'line') {
          if (row.kind === 'foot') return <StepFoot key={key} step={step} onRetry={props.onRetry} />
          return (
            <StepHead
              key={key}
              step={step}
              isFolded={folds.folded.has(stepFold(container))}
              onFold={() => folds.toggleStep(container)}
              hitCount={hits.byStep[row.step]?.lines.length ?? 0}
            />
          )
        }
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
            isFolded={row.group !== undefined && folds.folded.has(groupFold(container, row.group))}
            onFold={folds.toggleGroup}
            times={lines.hasTimes ? times : 'off'}
            marks={marksOf(hits.byStep[row.step] ?? noHits, row.line, hits.currentIn(row.step))}
            isSelected={isIn(selected, name, row.line + 1) || isAt(position, row)}
            isExpanded={isExpanded}
            onExpand={props.expandLine}
            isStop={index === tabStop}
            measure={props.isWrapped || isExpanded ? props.measure : undefined}
          />
        )
      })}
    </div>
  )
}

const noHits = { lines: [], starts: [], ends: [] }

const isAt = (position: LogPosition | undefined, row: LogRow): boolean =>
  row.kind === 'line' && position?.step === row.step && position.line === row.line

/** The row whose line number is a tab stop: that of the current position, else the first visible line. */
function tabStopOf(visible: readonly VisibleRow[], position: LogPosition | undefined): number | undefined {
  const lines = visible.filter(({ row }) => row.kind === 'line')
  return (lines.find(({ row }) => isAt(position, row)) ?? lines[0])?.index
}

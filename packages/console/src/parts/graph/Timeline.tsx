import { Button, Icon } from '@patternfly/react-core'
import CloseIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-caret-down-icon'
import OpenIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-caret-right-icon'
import CriticalIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-path-icon'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { TaskNode } from '@slipway/model/graphs/pipeline-graph'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { type Span, type StepSpan, timelineOf } from '@slipway/model/graphs/timeline'
import { useState } from 'react'
import { formatDuration, formatDurationLong } from '../../lib/dates'
import { useKnownNow } from '../../ui/status/last-known'
import { hasVanished, isSettled, displayTaskStatus } from '../status/display-status'
import { VirtualList } from '../../ui/page/VirtualList'
import { StatusLabel, toneOf } from '../status/StatusLabel'
import { nodeName, plural } from './node-text'
import { ticksOf } from './ticks'
import './timeline.css'

interface TimelineProps {
  run: PipelineRun
  taskRuns: readonly TaskRun[]
  /** Nodes of the graph of the run. */
  nodes: readonly TaskNode[]
  /** Id of a node of the graph of the run. */
  selected: string | undefined
  onSelect: (id: string) => void
  label: string
}

/** A row without its steps. */
const rowHeightPx = 33
const idOf = ({ id }: Span): string => id

/** When the tasks of a run waited and ran, and which of them determined its duration. */
export function Timeline({ run, taskRuns, nodes, selected, onSelect, label }: TimelineProps) {
  const now = useKnownNow(isSettled(run) && taskRuns.every(isSettled) ? false : 1_000)
  // The end of a vanished run is unknown, so its clock must not run on.
  const nowMs = hasVanished(run) ? -Infinity : now
  const { fromMs, toMs, spans } = timelineOf(run, taskRuns, nowMs, displayTaskStatus)
  const present = new Set(spans.map(idOf))
  const absent = nodes.filter(({ id }) => !present.has(id))
  const undated = absent.filter(isUnknown)
  const idle = absent.filter((node) => !isUnknown(node))
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) =>
    setOpen((known) => {
      const next = new Set(known)
      if (!next.delete(id)) next.add(id)
      return next
    })
  const share = (ms: number): string => `${toMs > fromMs ? ((ms - fromMs) / (toMs - fromMs)) * 100 : 0}%`
  const barStyle = (startMs: number, endMs: number) => ({
    left: share(startMs),
    width: `calc(${share(endMs)} - ${share(startMs)})`,
  })
  const critical = spans.filter(({ isCritical }) => isCritical)
  if (spans.length === 0) {
    return (
      <p>
        {undated.length > 0
          ? 'The start times of the tasks are no longer available.'
          : 'No task of this run has started.'}
      </p>
    )
  }
  return (
    <div className="slipway-timeline">
      <p className="slipway-timeline__summary">
        Total {formatDuration(toMs - fromMs)}. Critical path ({plural(critical.length, 'task')}):{' '}
        {critical.map(({ node }) => nodeName(node)).join(' → ')}
      </p>
      <Legend />
      <div className="slipway-timeline__axis" aria-hidden="true">
        {ticksOf(toMs - fromMs).map((tickMs) => (
          <span key={tickMs} style={{ left: share(fromMs + tickMs) }}>
            {formatDuration(tickMs)}
          </span>
        ))}
      </div>
      <VirtualList
        items={spans}
        idOf={idOf}
        rowHeightPx={rowHeightPx}
        className="slipway-timeline__rows"
        label={label}
        renderRow={(span, props) => (
          <li {...props} data-selected={span.id === selected || undefined}>
            <div className="slipway-timeline__row">
              <span className="slipway-timeline__name">
                {span.steps.length > 0 ? (
                  <Button
                    variant="plain"
                    size="sm"
                    hasNoPadding
                    aria-expanded={open.has(span.id)}
                    aria-label={`Steps of ${nodeName(span.node)}`}
                    icon={open.has(span.id) ? <CloseIcon /> : <OpenIcon />}
                    onClick={() => toggle(span.id)}
                  />
                ) : (
                  <span className="slipway-timeline__no-steps" />
                )}
                <Button
                  variant="link"
                  isInline
                  data-node={span.id}
                  aria-pressed={span.id === selected}
                  title={nodeName(span.node)}
                  onClick={() => onSelect(span.id)}
                >
                  {nodeName(span.node)}
                </Button>
                {span.isCritical && (
                  <Icon isInline className="slipway-timeline__critical">
                    <CriticalIcon />
                  </Icon>
                )}
                <span className="pf-v6-screen-reader">{spanText(span)}</span>
              </span>
              <span className="slipway-timeline__track" aria-hidden="true">
                <Bars span={span} barStyle={barStyle} />
              </span>
              <span className="slipway-timeline__time" aria-hidden="true">
                <SpanTime span={span} />
              </span>
            </div>
            {open.has(span.id) && (
              <ol className="slipway-timeline__steps" aria-label={`Steps of ${nodeName(span.node)}`}>
                {span.steps.map((step) => (
                  <StepRow key={step.name} step={step} barStyle={barStyle} />
                ))}
              </ol>
            )}
          </li>
        )}
      />
      <Others label="Not started yet" nodes={idle.filter((node) => !isNodeSettled(node, run))} />
      <Others label="Did not run" nodes={idle.filter((node) => isNodeSettled(node, run))} />
      <Others label="Start times unavailable" nodes={undated} />
    </div>
  )
}

/** Whether it has run, though it is not known when. */
const isUnknown = ({ lostRun, taskRun, status }: TaskNode): boolean =>
  lostRun !== undefined || taskRun !== undefined || status === 'Unknown'

/** Whether a task that has not run never will. */
const isNodeSettled = ({ status }: TaskNode, run: PipelineRun): boolean => status === 'Skipped' || isSettled(run)

const Others = ({ label, nodes }: { label: string; nodes: readonly TaskNode[] }) =>
  nodes.length > 0 && (
    <p className="slipway-timeline__idle">
      {label}:{' '}
      {nodes.map((node) => (node.hasNotRun ? nodeName(node) : `${nodeName(node)} (${node.status})`)).join(', ')}
    </p>
  )

type BarStyle = (startMs: number, endMs: number) => { left: string; width: string }

function Bars({ span, barStyle }: { span: Span; barStyle: BarStyle }) {
  const { createdMs, startMs, endMs, node, tries, isCritical } = span
  const waitedUntilMs = startMs ?? endMs
  return (
    <>
      {waitedUntilMs > createdMs && (
        <span className="slipway-timeline__wait" style={barStyle(createdMs, waitedUntilMs)} />
      )}
      {startMs !== undefined && (
        <span
          className="slipway-timeline__run"
          data-tone={toneOf(node.verdict ?? node.status)}
          data-critical={isCritical || undefined}
          data-open={!span.isOver || undefined}
          style={barStyle(startMs, endMs)}
        />
      )}
      {tries.map((one) => (
        <span key={one.startMs} className="slipway-timeline__try" style={barStyle(one.startMs, one.endMs)} />
      ))}
    </>
  )
}

/** How long a task ran, and how long it waited before: elsewhere, the duration of a task includes the wait. */
function SpanTime({ span: { createdMs, startMs, endMs } }: { span: Span }) {
  if (startMs === undefined) return formatDuration(endMs - createdMs)
  const waitedMs = startMs - createdMs
  return (
    <>
      {formatDuration(endMs - startMs)}
      {waitedMs >= 1_000 && (
        <span className="slipway-timeline__waited" title="The wait before it ran">
          {' '}
          +{formatDuration(waitedMs)}
        </span>
      )}
    </>
  )
}

const StepRow = ({ step, barStyle }: { step: StepSpan; barStyle: BarStyle }) => (
  <li className="slipway-timeline__row">
    <span className="slipway-timeline__name slipway-timeline__name--step">
      {step.name}
      <span className="pf-v6-screen-reader">, {formatDurationLong(step.endMs - step.startMs)}, </span>
      <StatusLabel status={step.status} verdict={step.verdict} />
    </span>
    <span className="slipway-timeline__track" aria-hidden="true">
      <span
        className="slipway-timeline__run"
        data-tone={toneOf(step.verdict ?? step.status)}
        style={barStyle(step.startMs, step.endMs)}
      />
    </span>
    <span className="slipway-timeline__time" aria-hidden="true">
      {formatDuration(step.endMs - step.startMs)}
    </span>
  </li>
)

const Legend = () => (
  <ul className="slipway-timeline__legend" aria-hidden="true">
    <li>
      <span className="slipway-timeline__wait" /> Waiting (+)
    </li>
    <li>
      <span className="slipway-timeline__run" data-tone="info" /> Running
    </li>
    <li>
      <span className="slipway-timeline__run" data-tone="info" data-critical="true" />
      <Icon isInline>
        <CriticalIcon />
      </Icon>{' '}
      On the critical path
    </li>
  </ul>
)

/** Describes the bars of a row to screen readers. */
function spanText({ node, createdMs, startMs, endMs, isOver, isCritical, tries }: Span): string {
  const waited = `${isOver || startMs !== undefined ? 'waited' : 'has waited'} ${formatDurationLong((startMs ?? endMs) - createdMs)}`
  const ran = startMs !== undefined && `${isOver ? 'ran' : 'has run'} ${formatDurationLong(endMs - startMs)}`
  const again = tries.length > 0 && `tried ${tries.length + 1} times`
  return [`, ${node.verdict ?? node.status}`, node.detail, waited, ran, again, isCritical && 'on the critical path']
    .filter(Boolean)
    .join(', ')
}

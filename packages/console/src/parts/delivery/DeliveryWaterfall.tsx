import { nameOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import {
  type Delivery,
  type DeliverySpan,
  type DeliveryStage,
  deliveryStages,
  spentMs,
} from '@slipway/model/releases/delivery'
import { Fragment, type ReactNode } from 'react'
import { formatDuration, formatDurationLong } from '../../lib/dates'
import type { ApplicationParams } from '../../paths'
import { ticksOf } from '../graph/ticks'
import { PipelineRunLink, ReleaseLink, SnapshotLink } from '../links'
import { stageTexts } from './stage-texts'
import '../graph/timeline.css'
import './delivery.css'

interface DeliveryWaterfallProps {
  delivery: Delivery
  at: ApplicationParams
}

/** When the stages of a delivery waited and worked, one below the other. */
export function DeliveryWaterfall({ delivery, at }: DeliveryWaterfallProps) {
  const { spans, startMs, endMs, build } = delivery
  const share = (ms: number): string => `${endMs > startMs ? ((ms - startMs) / (endMs - startMs)) * 100 : 0}%`
  const stages = deliveryStages.filter((stage) => spans.some((span) => span.stage === stage))
  return (
    <div className="slipway-timeline slipway-delivery">
      <div className="slipway-timeline__axis" aria-hidden="true">
        {ticksOf(endMs - startMs).map((tickMs) => (
          <span key={tickMs} style={{ left: share(startMs + tickMs) }}>
            {formatDuration(tickMs)}
          </span>
        ))}
      </div>
      <ol className="slipway-timeline__rows" aria-label={`Stages of the delivery of ${nameOf(build)}`}>
        {stages.map((stage) => {
          const own = spans.filter((span) => span.stage === stage)
          const links = stageLinks(stage, delivery, at)
          return (
            <li key={stage} className="slipway-timeline__row">
              <span className="slipway-timeline__name">
                {stageTexts[stage].label}
                {links && <> {links}</>}
                <span className="pf-v6-screen-reader">, {stageText(stage, own)}</span>
              </span>
              <span className="slipway-timeline__track" aria-hidden="true">
                {own.map((span) => (
                  <span
                    key={span.startMs}
                    className={classNames[span.state]}
                    data-tone={hasFailed(delivery, span) ? 'danger' : 'info'}
                    title={spanText(stage, span)}
                    style={{ left: share(span.startMs), width: `calc(${share(span.endMs)} - ${share(span.startMs)})` }}
                  />
                ))}
              </span>
              <span className="slipway-timeline__time" aria-hidden="true">
                <StageTime spans={own} />
              </span>
            </li>
          )
        })}
      </ol>
    </div>
  )
}

/** Whether the delivery ended with this failing. */
const hasFailed = ({ outcome, spans }: Delivery, span: DeliverySpan): boolean =>
  outcome === 'Failed' && span === spans.findLast(({ state }) => state === 'working')

const classNames: Record<DeliverySpan['state'], string> = {
  waiting: 'slipway-timeline__wait',
  working: 'slipway-timeline__run',
  unknown: 'slipway-delivery__unknown',
}

/** What bars look like, for all waterfalls of a page. */
export const DeliveryLegend = () => (
  <ul className="slipway-timeline__legend" aria-hidden="true">
    <li>
      <span className={classNames.waiting} /> Waiting (+)
    </li>
    <li>
      <span className={classNames.working} data-tone="info" /> Working
    </li>
    <li>
      <span className={classNames.unknown} /> Not known (?)
    </li>
  </ul>
)

/** Links to what is known of a stage; `undefined` without any. */
function stageLinks(
  stage: DeliveryStage,
  { build, snapshot, tests, release }: Delivery,
  at: ApplicationParams,
): ReactNode {
  switch (stage) {
    case 'build':
      return <PipelineRunLink at={at} pipelineRun={nameOf(build)} />
    case 'snapshot':
      return snapshot && <SnapshotLink at={at} snapshot={nameOf(snapshot)} />
    case 'tests':
      return tests.length === 0 ? undefined : (
        <span className="slipway-delivery__links">
          {tests.map((run, index) => (
            <Fragment key={nameOf(run)}>
              {index > 0 && ', '}
              <PipelineRunLink
                at={at}
                pipelineRun={nameOf(run)}
                integrationTest={run.metadata.labels?.[labels.scenario]}
              />
            </Fragment>
          ))}
        </span>
      )
    case 'request':
      return undefined
    case 'release':
      return release && <ReleaseLink at={at} release={nameOf(release)} />
  }
}

/** How long a stage worked, waited, and did what is not known. */
function StageTime({ spans }: { spans: readonly DeliverySpan[] }) {
  const [workedMs, waitedMs, unknownMs] = timesOf(spans)
  return (
    <>
      {(workedMs > 0 || waitedMs + unknownMs === 0) && formatDuration(workedMs)}
      {waitedMs > 0 && <span className="slipway-timeline__waited"> +{formatDuration(waitedMs)}</span>}
      {unknownMs > 0 && <span className="slipway-timeline__waited"> ?{formatDuration(unknownMs)}</span>}
    </>
  )
}

const timesOf = (spans: readonly DeliverySpan[]) =>
  [spentMs(spans, 'working'), spentMs(spans, 'waiting'), spentMs(spans, 'unknown')] as const

const spanText = (stage: DeliveryStage, { state, startMs, endMs }: DeliverySpan): string =>
  stageText(stage, [{ stage, state, startMs, endMs }])

/** `worked 8 minutes, waited 2 minutes for the build to start`. */
function stageText(stage: DeliveryStage, spans: readonly DeliverySpan[]): string {
  const [workedMs, waitedMs, unknownMs] = timesOf(spans)
  return [
    workedMs > 0 && `worked ${formatDurationLong(workedMs)}`,
    waitedMs > 0 && `waited ${formatDurationLong(waitedMs)} ${stageTexts[stage].wait}`,
    unknownMs > 0 && `${formatDurationLong(unknownMs)} not known`,
  ]
    .filter(Boolean)
    .join(', ')
}

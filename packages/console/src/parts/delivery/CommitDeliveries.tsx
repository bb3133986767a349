import { commitShaOf } from '@slipway/model/git/git-facts'
import { labels } from '@slipway/model/labels'
import { specOf } from '@slipway/kube/object'
import { type Delivery, spentMs } from '@slipway/model/releases/delivery'
import { Link } from 'react-router'
import { formatDuration } from '../../lib/dates'
import { type CommitParams, paths } from '../../paths'
import { StatusBox } from '../../ui/failures/StatusBox'
import { SourceReporter } from '../../ui/SourceReporter'
import { useCommitRuns } from '../commits/use-commit'
import { StatusLabel } from '../status/StatusLabel'
import { DeliveryLegend, DeliveryWaterfall } from './DeliveryWaterfall'
import { DeliveryTimesText } from './DeliveryTimesText'
import { deliveryRows, useDeliveries } from './use-deliveries'
import { useDeliveryVerdict } from './use-delivery-verdict'

/** How the builds of a commit got to their releases, beside what is usual in its application. */
export function CommitDeliveries({ at }: { at: CommitParams }) {
  const { source, completeSinceMs } = useDeliveries(at, useCommitRuns(at))
  return (
    <>
      <SourceReporter label="Delivery" source={source} />
      <StatusBox label="the delivery" data={source.rows} error={source.error}>
        {(deliveries) => {
          const own = deliveries.filter(({ build }) => commitShaOf(build) === at.commit)
          // Each build of a push has one, whatever has become of it.
          if (own.length === 0) return <p>Builds of pull requests are not released.</p>
          return (
            <>
              <p>
                <DeliveryTimesText deliveries={deliveries} completeSinceMs={completeSinceMs} />{' '}
                <Link to={paths.deliveries(at)}>All deliveries of {at.application}</Link>
              </p>
              <DeliveryLegend />
              {own.map((delivery) => (
                <CommitDelivery key={deliveryRows.idOf(delivery)} delivery={delivery} at={at} />
              ))}
            </>
          )
        }}
      </StatusBox>
    </>
  )
}

function CommitDelivery({ delivery, at }: { delivery: Delivery; at: CommitParams }) {
  const outcome = useDeliveryVerdict(delivery)
  return (
    <div>
      <p className="slipway-delivery__heading">
        <strong>{titleOf(delivery)}</strong>
        <StatusLabel status={outcome} />
        <span>{summaryOf(delivery)}</span>
      </p>
      <DeliveryWaterfall delivery={{ ...delivery, outcome }} at={at} />
    </div>
  )
}

/** `checkout-api to checkout-to-production`. */
function titleOf({ build, release }: Delivery): string {
  const component = build.metadata.labels?.[labels.component] ?? 'Build'
  const plan = release && specOf(release).releasePlan
  return plan ? `${component} to ${plan}` : component
}

/** `43m, of which 15m waiting`. */
function summaryOf({ spans, startMs, endMs }: Delivery): string {
  const [waitedMs, unknownMs] = [spentMs(spans, 'waiting'), spentMs(spans, 'unknown')]
  const parts = [
    waitedMs > 0 && `${formatDuration(waitedMs)} waiting`,
    unknownMs > 0 && `${formatDuration(unknownMs)} not known`,
  ].filter(Boolean)
  return [formatDuration(endMs - startMs), parts.length > 0 && `of which ${parts.join(' and ')}`]
    .filter(Boolean)
    .join(', ')
}

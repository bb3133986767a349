import { type Delivery, deliveryVerdict } from '@slipway/model/releases/delivery'
import { useRunVerdicts } from '../pipeline-runs/run-verdicts'
import { StatusLabel } from '../status/StatusLabel'

/** What a delivery comes to, with what the tasks of its tests report. */
export const DeliveryStatus = ({ delivery }: { delivery: Delivery }) => (
  <StatusLabel status={deliveryVerdict(delivery, useRunVerdicts(delivery.tests))} />
)

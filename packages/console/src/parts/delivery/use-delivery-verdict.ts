import { type Delivery, type DeliveryOutcome, deliveryVerdict } from '@slipway/model/releases/delivery'
import { useRunVerdicts } from '../pipeline-runs/run-verdicts'

/** What a delivery comes to, with what the tasks of its tests report. */
export const useDeliveryVerdict = (delivery: Delivery): DeliveryOutcome =>
  deliveryVerdict(delivery, useRunVerdicts(delivery.tests))

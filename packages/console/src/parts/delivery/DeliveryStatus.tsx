import type { Delivery } from '@slipway/model/releases/delivery'
import { StatusLabel } from '../status/StatusLabel'
import { useDeliveryVerdict } from './use-delivery-verdict'

export const DeliveryStatus = ({ delivery }: { delivery: Delivery }) => (
  <StatusLabel status={useDeliveryVerdict(delivery)} />
)

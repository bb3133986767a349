import { NotificationBadge } from '@patternfly/react-core'
import { notificationsOf } from '@slipway/model/platform/notification'
import { useQuery } from '@tanstack/react-query'
import { notifications } from '../../resources/notifications'
import { useNow } from '../../ui/text/now'
import { type Bell, bellId } from './bell'

const minuteMs = 60_000

export function NotificationBell({ isExpanded, onToggle }: Bell) {
  const { data } = useQuery(notifications.list())
  const now = new Date(useNow(minuteMs))
  const count = notificationsOf(data?.items ?? [], now).length
  return (
    <NotificationBadge
      id={bellId}
      variant={count > 0 ? 'unread' : 'read'}
      count={count}
      aria-label={`Notifications, ${count}`}
      title="Notifications"
      aria-controls="notifications"
      isExpanded={isExpanded}
      onClick={onToggle}
    />
  )
}

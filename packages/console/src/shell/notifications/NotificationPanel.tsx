import {
  Alert,
  Label,
  type LabelProps,
  NotificationDrawer,
  NotificationDrawerBody,
  NotificationDrawerHeader,
  NotificationDrawerList,
  NotificationDrawerListItem,
  NotificationDrawerListItemBody,
  NotificationDrawerListItemHeader,
  Spinner,
} from '@patternfly/react-core'
import DangerIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-error-fill-icon'
import InfoIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-information-fill-icon'
import WarningIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-warning-fill-icon'
import { isNew, type Notification, notificationsOf, type NotificationType } from '@slipway/model/platform/notification'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, useEffect, useRef } from 'react'
import { failureText } from '../../api/messages'
import { notifications } from '../../resources/notifications'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { MarkdownLine } from '../../ui/text/Markdown'
import { useNow } from '../../ui/text/now'
import { RelativeTime } from '../../ui/text/RelativeTime'
import './notifications.css'

const minuteMs = 60_000

/** `yellow` is PatternFly's gold. */
const styles: Record<NotificationType, { color: LabelProps['color']; word: string; Icon: ComponentType }> = {
  info: { color: 'blue', word: 'Info', Icon: InfoIcon },
  warning: { color: 'yellow', word: 'Warning', Icon: WarningIcon },
  danger: { color: 'red', word: 'Danger', Icon: DangerIcon },
}

/** Announcements from the platform's operators, next to the page. */
export function NotificationPanel({ onClose }: { onClose: () => void }) {
  const { data, error, isPending } = useQuery(notifications.list())
  const now = new Date(useNow(minuteMs))
  const all = notificationsOf(data?.items ?? [], now)
  const isNewNow = (notification: Notification) => isNew(notification, now)
  const panel = useRef<HTMLElement>(null)
  useEffect(() => panel.current?.focus(), [])
  return (
    <aside
      ref={panel}
      id="notifications"
      aria-label="Notifications"
      tabIndex={-1}
      className="slipway-notifications"
      onKeyDown={({ key }) => {
        if (key === 'Escape') onClose()
      }}
    >
      <NotificationDrawer>
        <NotificationDrawerHeader
          title="Notifications"
          customText={data && `${all.length} total, ${all.filter(isNewNow).length} new (past hour)`}
          closeButtonAriaLabel="Close notifications"
          onClose={onClose}
        />
        <NotificationDrawerBody>
          {error && (
            <Alert
              isInline
              isLiveRegion
              variant="danger"
              component="p"
              title="Unable to load system notifications"
              className="slipway-notifications__failure"
            >
              {failureText(error)}
            </Alert>
          )}
          {isPending && (
            <Spinner size="lg" aria-label="Loading notifications" className="slipway-notifications__wait" />
          )}
          {data && !error && all.length === 0 && (
            <MessagePanel titleText="No notifications" variant="sm">
              Announcements from the platform's operators appear here.
            </MessagePanel>
          )}
          {all.length > 0 && (
            <NotificationDrawerList aria-label="Notifications">
              {all.map((notification) => (
                <Item key={notification.id} {...notification} isRead={!isNewNow(notification)} />
              ))}
            </NotificationDrawerList>
          )}
        </NotificationDrawerBody>
      </NotificationDrawer>
    </aside>
  )
}

function Item({ type, title, summary, created, isRead }: Notification & { isRead: boolean }) {
  const { color, word, Icon } = styles[type]
  return (
    <NotificationDrawerListItem variant="custom" isRead={isRead} isHoverable={false} tabIndex={-1}>
      <NotificationDrawerListItemHeader
        variant="custom"
        title={title}
        icon={
          <Label isCompact color={color} icon={<Icon />}>
            {word}
          </Label>
        }
      />
      <NotificationDrawerListItemBody timestamp={<RelativeTime time={created} />}>
        <MarkdownLine text={summary} />
      </NotificationDrawerListItemBody>
    </NotificationDrawerListItem>
  )
}

import { Alert, AlertActionCloseButton, AlertGroup, type AlertProps } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import { createPortal } from 'react-dom'
import { writeFailure } from '../api/writes/write-messages'
import { useStore } from '../lib/store'
import { isUnderWay } from '../resources/link-task-state'
import { linkTasks } from '../resources/link-task-store'
import { dismissActions, useObjectActions } from '../ui/actions/object-actions'
import { neverCovered } from '../ui/dialogs/layers'
import { ClockNotice } from './ClockNotice'
import { LinkTaskToast } from '../parts/secrets/LinkTaskToast'

/** How long a success without a link is shown (WCAG 2.2.1). The time is paused while it is hovered or focused. */
const shownMs = 10_000

const variants: Record<'pending' | 'success' | 'error', AlertProps['variant']> = {
  pending: 'info',
  success: 'success',
  error: 'danger',
}

/** Reports each action and link task on top of the page, so that nothing moves. Failures and links stay until dismissed. */
export const ActionToasts = () =>
  // Not `isToast`, whose container would be covered by dialogs.
  createPortal(
    <AlertGroup isLiveRegion className="pf-m-toast" aria-label="Notices" {...neverCovered}>
      <ClockNotice />
      {useStore(linkTasks).map((task) => (
        // A new alert for the outcome: the time of a success starts with it.
        <LinkTaskToast key={`${task.id} ${isUnderWay(task)}`} task={task} successMs={shownMs} />
      ))}
      {useObjectActions().map((action) => (
        // A new alert for each outcome: the time of a success starts with it.
        <ActionToast key={`${action.id} ${action.status}`} action={action} />
      ))}
    </AlertGroup>,
    document.body,
  )

function ActionToast({ action }: { action: ReturnType<typeof useObjectActions>[number] }) {
  const { object, status, error, messages, result } = action
  if (status === 'idle') return null
  const dismiss = () => dismissActions(object)
  return (
    <Alert
      component="p"
      variant={variants[status]}
      title={{ pending: messages.pending, success: messages.done, error: messages.failed }[status]}
      timeout={status === 'success' && !result && shownMs}
      onTimeout={dismiss}
      actionClose={<AlertActionCloseButton title="Dismiss" onClose={dismiss} />}
    >
      {nameOf(object)}
      {error && <p>{writeFailure(error).body}</p>}
      {status === 'success' && (typeof result === 'function' ? result() : result)}
    </Alert>
  )
}

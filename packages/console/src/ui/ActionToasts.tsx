import { Alert, AlertActionCloseButton, AlertGroup, type AlertProps } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import { writeFailure } from '../api/writes/write-messages'
import { dismissActions, useObjectActions } from './actions/object-actions'

/** How long a success is shown; the time stands still while it is pointed at or has the focus. */
const shownMs = 10_000

const variants: Record<'pending' | 'success' | 'error', AlertProps['variant']> = {
  pending: 'info',
  success: 'success',
  error: 'danger',
}

/** Reports what became of each request, over the page, so that nothing moves. A failure stays until it is dismissed. */
export const ActionToasts = () => (
  <AlertGroup isToast isLiveRegion aria-label="Notices">
    {useObjectActions().map(({ id, object, status, error, messages, result }) => {
      if (status === 'idle') return null
      const dismiss = () => dismissActions(object)
      return (
        <Alert
          // A new one for each outcome: the time of a success begins with it.
          key={`${id} ${status}`}
          component="p"
          variant={variants[status]}
          title={{ pending: messages.pending, success: messages.done, error: messages.failed }[status]}
          timeout={status === 'success' && shownMs}
          onTimeout={dismiss}
          actionClose={<AlertActionCloseButton title="Dismiss" onClose={dismiss} />}
        >
          {nameOf(object)}
          {error && <p>{writeFailure(error).body}</p>}
          {status === 'success' && result}
        </Alert>
      )
    })}
  </AlertGroup>
)

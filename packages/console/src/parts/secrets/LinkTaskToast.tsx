import { Alert, AlertActionCloseButton, AlertActionLink, Content, Progress } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import { isUnderWay } from '../../resources/link-task-state'
import type { LinkTaskProgress } from '../../resources/link-task-store'
import { dismissLinkTask, retryLinkTask } from '../../resources/link-tasks'

/** So many failures are listed; the secrets list shows them all. */
const maxListed = 5

interface LinkTaskToastProps {
  task: LinkTaskProgress
  /** How long a success is shown. */
  successMs: number
}

/** The progress of a link task of this tab, and then its outcome. */
export function LinkTaskToast({ task, successMs }: LinkTaskToastProps) {
  const { id, secret, state, total, done, failures } = task
  const name = nameOf(secret)
  if (isUnderWay(task)) {
    return (
      <Alert variant="warning" component="p" title={`Keep this window open while ${name} is being linked`}>
        {/* Only the warning is announced, not each step. */}
        <div aria-live="off">
          {state === 'Pending' ? (
            'Waits for the link tasks before it.'
          ) : (
            <Progress
              size="sm"
              aria-label={`Components linked to ${name}`}
              value={total ? (done / total) * 100 : 0}
              label={total === undefined ? 'Listing the components…' : `${done} of ${countText(total)}`}
              measureLocation="outside"
              valueText={total === undefined ? undefined : `${done} of ${countText(total)}`}
            />
          )}
        </div>
      </Alert>
    )
  }
  const dismiss = () => dismissLinkTask(id)
  const close = <AlertActionCloseButton title="Dismiss" onClose={dismiss} />
  if (state === 'Succeeded') {
    const title = `The links of ${name} are up to date`
    return (
      <Alert variant="success" component="p" title={title} timeout={successMs} onTimeout={dismiss} actionClose={close}>
        {total ? `${countText(total)}.` : null}
      </Alert>
    )
  }
  return (
    <Alert
      variant="danger"
      component="p"
      title={`${name} could not be linked as requested`}
      actionClose={close}
      actionLinks={<AlertActionLink onClick={() => retryLinkTask(task)}>Try again</AlertActionLink>}
    >
      {total !== undefined && total > 0 && <p>{`Failed: ${failedText(task, total)}.`}</p>}
      <Content component="ul">
        {failures.slice(0, maxListed).map(({ component, message }, index) => (
          <Content component="li" key={component ?? index}>
            {component ? `${component}: ${message}` : message}
          </Content>
        ))}
      </Content>
      {failures.length > maxListed && <p>{`${failures.length - maxListed} more failed.`}</p>}
    </Alert>
  )
}

const countText = (count: number): string => (count === 1 ? '1 component' : `${count} components`)

const failedText = ({ failures }: LinkTaskProgress, total: number): string =>
  `${failures.filter(({ component }) => component).length} of ${countText(total)}`

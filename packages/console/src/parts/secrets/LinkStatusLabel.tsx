import { Button, Tooltip } from '@patternfly/react-core'
import type { Secret } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { useWriteBlock } from '../../api/live/connectivity'
import { useOverlayContainer } from '../../ui/page/overlay-container'
import { StatusLabel } from '../status/StatusLabel'
import { useLinkStatus } from './use-link-status'

interface LinkStatusLabelProps {
  secret: Secret
  /** Why the user cannot link it; `false` if they can. */
  disabledReason: string | false
  /** Called to show why the secret could not be linked. */
  onViewError: () => void
}

/** The state of the link task of a secret, with what can be done about one that has failed or was interrupted. */
export function LinkStatusLabel({ secret, disabledReason, onViewError }: LinkStatusLabelProps) {
  const writeBlock = useWriteBlock()
  const task = useLinkStatus(secret)
  if (!task) return null
  const { status, resume } = task
  const name = nameOf(secret)
  const reason = disabledReason || writeBlock
  const resumeLabel = status === 'Failed' ? 'Retry' : 'Resume'
  return (
    <>
      <StatusLabel status={status} />
      {status === 'Failed' && (
        <Button
          variant="link"
          isInline
          className="slipway-cell-button"
          aria-label={`View Error of ${name}`}
          onClick={onViewError}
        >
          View Error
        </Button>
      )}
      {resume && <ResumeButton label={resumeLabel} name={name} disabledReason={reason} onClick={resume} />}
    </>
  )
}

interface ResumeButtonProps {
  label: string
  name: string
  disabledReason: string | false | undefined
  onClick: () => void
}

function ResumeButton({ label, name, disabledReason, onClick }: ResumeButtonProps) {
  const overlayContainer = useOverlayContainer()
  const button = (
    <Button
      variant="link"
      isInline
      className="slipway-cell-button"
      aria-label={`${label} linking ${name}`}
      isAriaDisabled={Boolean(disabledReason)}
      onClick={onClick}
    >
      {label}
    </Button>
  )
  if (!disabledReason) return button
  return (
    <Tooltip content={disabledReason} appendTo={overlayContainer}>
      {button}
    </Tooltip>
  )
}

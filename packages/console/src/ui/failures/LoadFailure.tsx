import { Button } from '@patternfly/react-core'
import { isForbidden, isNotFound } from '@slipway/kube/status'
import type { ReactNode } from 'react'
import { loadFailure } from '../../api/messages'
import { MessagePanel } from '../status/MessagePanel'
import { RestrictedAccess } from './RestrictedAccess'

interface LoadFailureProps {
  /** What could not be loaded: `Unable to load {noun}`. */
  noun: string
  /** The title if the server says that it does not exist. */
  missingTitle?: string
  error: unknown
  isRetrying: boolean
  onRetry: () => void
  /** What else it may mean that the user may not read it. */
  denied?: ReactNode
}

/** There is nothing to show, because it may not be read or because reading it failed. */
export function LoadFailure({ noun, missingTitle, error, isRetrying, onRetry, denied }: LoadFailureProps) {
  if (isForbidden(error)) return <RestrictedAccess error={error}>{denied}</RestrictedAccess>
  const { title, body } = loadFailure(error, noun)
  return (
    <MessagePanel
      variant="sm"
      titleText={isNotFound(error) && missingTitle ? missingTitle : title}
      status="danger"
      action={
        <Button variant="secondary" isLoading={isRetrying} isAriaDisabled={isRetrying} onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {body}
    </MessagePanel>
  )
}

import { Alert, Bullseye, Button, Spinner } from '@patternfly/react-core'
import { isForbidden, isNotFound, isTimeout } from '@slipway/kube/status'
import type { ReactNode } from 'react'
import { asSentence, failureText } from '../../api/messages'
import { MessagePanel } from '../status/MessagePanel'
import { NoResponse, useIsOverdue } from '../status/NoResponse'
import { RestrictedAccess } from './RestrictedAccess'
import { StaleAlert } from '../status/StaleAlert'

interface StatusBoxProps<T> {
  /** What is in it: `Error Loading {label}`. */
  label: string
  /** Of a query. */
  data: T | undefined
  error: unknown
  children: (data: T) => ReactNode
}

/**
 * A part of a page that is read by itself, from first byte to last: loading, missing, refused, failed, out of date. What
 * was read before stays while it only could not be read again, and goes with the right to see it.
 */
export function StatusBox<T>({ label, data, error, children }: StatusBoxProps<T>) {
  const isMissing = isForbidden(error) || isNotFound(error)
  if (isMissing || (error && data === undefined)) return <Failure label={label} error={error} />
  if (data === undefined) return <Loading label={label} />
  return (
    <>
      {Boolean(error) && (isTimeout(error) ? <StaleAlert /> : <OlderAlert label={label} error={error} />)}
      {children(data)}
    </>
  )
}

function Loading({ label }: { label: string }) {
  if (useIsOverdue(true)) return <NoResponse noun={label} />
  return (
    <Bullseye>
      <Spinner aria-label={`Loading ${label}`} />
    </Bullseye>
  )
}

function Failure({ label, error }: { label: string; error: unknown }) {
  if (isForbidden(error)) return <RestrictedAccess error={error} />
  if (isNotFound(error)) {
    return (
      <MessagePanel variant="sm" titleText="404: Not Found">
        {failureText(error)}
      </MessagePanel>
    )
  }
  return (
    <MessagePanel variant="sm" titleText={`Error Loading ${label}`} status="danger">
      <p>{failureText(error)}</p>
      <TryAgain />
    </MessagePanel>
  )
}

/** Above what was read before. */
const OlderAlert = ({ label, error }: { label: string; error: unknown }) => (
  <Alert isInline variant="danger" component="p" title={`Error Loading ${label}`}>
    <p>{asSentence(failureText(error))} What was read before is shown.</p>
    <TryAgain />
  </Alert>
)

const TryAgain = () => (
  <p>
    Please{' '}
    <Button variant="link" isInline onClick={() => globalThis.location.reload()}>
      try again
    </Button>
    .
  </p>
)

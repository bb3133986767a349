import { Alert, Bullseye, Button, Spinner } from '@patternfly/react-core'
import { isForbidden, isNotFound, isTimeout } from '@slipway/kube/status'
import type { ReactNode } from 'react'
import { asSentence, failureText } from '../../api/messages'
import { MessagePanel } from '../status/MessagePanel'
import { NoResponse, useIsOverdue } from '../status/NoResponse'
import { RestrictedAccess } from './RestrictedAccess'
import { StaleAlert } from '../status/StaleAlert'

interface StatusBoxProps<T> {
  /** Name of the content: `Error Loading {label}`. */
  label: string
  /** Data of the query. */
  data: T | undefined
  error: unknown
  /** What the user can do if the content does not exist. */
  whenMissing?: ReactNode
  children: (data: T) => ReactNode
}

/**
 * A part of a page with a query of its own, in all its states: loading, missing, forbidden, failed, stale. Earlier data
 * stays if it merely could not be read again, but not if the user may no longer see it.
 */
export function StatusBox<T>({ label, data, error, whenMissing, children }: StatusBoxProps<T>) {
  const isMissing = isForbidden(error) || isNotFound(error)
  if (isMissing || (error && data === undefined))
    return <Failure label={label} error={error} whenMissing={whenMissing} />
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

function Failure({ label, error, whenMissing }: Pick<StatusBoxProps<unknown>, 'label' | 'error' | 'whenMissing'>) {
  if (isForbidden(error)) return <RestrictedAccess error={error} />
  if (isNotFound(error)) {
    return (
      <MessagePanel variant="sm" titleText="404: Not Found" action={whenMissing}>
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

/** Shown above earlier data. */
const OlderAlert = ({ label, error }: { label: string; error: unknown }) => (
  <Alert isInline variant="danger" component="p" title={`Error Loading ${label}`}>
    <p>{asSentence(failureText(error))} The data below was read earlier.</p>
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

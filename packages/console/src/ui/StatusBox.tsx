import { Bullseye, Button, EmptyState, EmptyStateBody, Spinner } from '@patternfly/react-core'
import { isForbidden, isNotFound, isTimeout } from '@slipway/kube/status'
import type { ReactNode } from 'react'
import { failureText } from '../api/messages'
import { RestrictedAccess } from './RestrictedAccess'
import { StaleAlert } from './StaleAlert'

interface StatusBoxProps<T> {
  /** What is in it: `Error Loading {label}`. */
  label: string
  /** Of a query. */
  data: T | undefined
  error: unknown
  children: (data: T) => ReactNode
}

/** A part of a page that is read by itself, from first byte to last: loading, missing, refused, failed, out of date. */
export function StatusBox<T>({ label, data, error, children }: StatusBoxProps<T>) {
  if (data === undefined) {
    return error ? <Failure label={label} error={error} /> : <Loading label={label} />
  }
  return (
    <>
      {isTimeout(error) && <StaleAlert />}
      {children(data)}
    </>
  )
}

const Loading = ({ label }: { label: string }) => (
  <Bullseye>
    <Spinner aria-label={`Loading ${label}`} />
  </Bullseye>
)

function Failure({ label, error }: { label: string; error: unknown }) {
  if (isForbidden(error)) return <RestrictedAccess error={error} />
  if (isNotFound(error)) {
    return (
      <EmptyState variant="sm" headingLevel="h2" titleText="404: Not Found">
        <EmptyStateBody>{failureText(error)}</EmptyStateBody>
      </EmptyState>
    )
  }
  return (
    <EmptyState variant="sm" headingLevel="h2" titleText={`Error Loading ${label}`} status="danger">
      <EmptyStateBody>
        <p>{failureText(error)}</p>
        <p>
          Please{' '}
          <Button variant="link" isInline onClick={() => globalThis.location.reload()}>
            try again
          </Button>
          .
        </p>
      </EmptyStateBody>
    </EmptyState>
  )
}

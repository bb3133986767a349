import { Button } from '@patternfly/react-core'
import { asSentence, loadFailure } from '../../api/messages'
import type { OptionState } from './options'

/** Retries loading the options of a field. */
export const RetryOptions = ({ state: { failure } }: { state: OptionState }) =>
  failure && (
    <Button
      variant="link"
      isInline
      isLoading={failure.isRetrying}
      isAriaDisabled={failure.isRetrying}
      onClick={failure.retry}
    >
      Try again
    </Button>
  )

/** Shows why options are missing, after the error that the field has already. */
export function withLoadError<F extends { error: string | undefined }>(field: F, label: string, state: OptionState): F {
  const { error } = field
  const loadError = loadErrorOf(state, label)
  return loadError ? { ...field, error: error ? `${asSentence(error)} ${loadError}` : loadError } : field
}

/** Why options are missing. @param label of their field */
export function loadErrorOf({ failure }: OptionState, label: string): string | undefined {
  if (!failure) return undefined
  const { title, body } = loadFailure(failure.error, label.toLowerCase())
  return `${title}. ${asSentence(body)}`
}

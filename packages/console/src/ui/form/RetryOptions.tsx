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

/** Why options are missing, in a few words. @param label of their field */
export const loadErrorTitle = (state: OptionState, label: string): string | undefined =>
  loadErrorIn(state, label)?.title

function loadErrorOf(state: OptionState, label: string): string | undefined {
  const error = loadErrorIn(state, label)
  return error && `${error.title}. ${asSentence(error.body)}`
}

const loadErrorIn = ({ failure, noun }: OptionState, label: string) =>
  failure && loadFailure(failure.error, noun ?? label.toLowerCase())

import { Button } from '@patternfly/react-core'
import { asSentence, loadFailure } from '../../api/messages'
import type { OptionState } from './options'

/** Loads the options of a field again that could not be loaded. */
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

/** A field without options says why; nothing else can be wrong with it before. */
export function withLoadError<F extends { error: string | undefined }>(
  field: F,
  label: string,
  { failure }: OptionState,
): F {
  if (!failure) return field
  const { title, body } = loadFailure(failure.error, label.toLowerCase())
  return { ...field, error: `${title}. ${asSentence(body)}` }
}

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

/** Shows why a field has no options. It can have no other error before it has some. */
export function withLoadError<F extends { error: string | undefined }>(
  field: F,
  label: string,
  { failure }: OptionState,
): F {
  if (!failure) return field
  const { title, body } = loadFailure(failure.error, label.toLowerCase())
  return { ...field, error: `${title}. ${asSentence(body)}` }
}

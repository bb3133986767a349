import { ApiError, isAlreadyExists } from '@slipway/kube/status'
import type { FailedWrite } from '../../api/writes/perform-writes'
import { refOf, type Write } from '../../api/writes/writes'

/**
 * The form fields that members of an object come from, by the path that the server uses for the member:
 * `metadata.name`, `spec.params`. A path below one of these is looked up below its field.
 */
export type ErrorFields = Readonly<Record<string, string>>

export interface FieldMessage {
  field: string
  message: string
}

export interface SortedErrors {
  atFields: FieldMessage[]
  /** Failures with at least one error that belongs to no field. */
  others: FailedWrite[]
}

/**
 * Sorts server errors: a taken name and invalid members belong to the fields they come from.
 * @param hasField whether the form has a value at a path
 * @param errorFields the same for all writes, or those of each
 * @param takenMessage message for an object whose name is taken
 * @param isTakenInAlert whether a taken name with a field is also a failure, with the words of the server
 */
export function sortErrors(
  failures: readonly FailedWrite[],
  errorFields: ErrorFields | ((write: Write) => ErrorFields),
  hasField: (path: string) => boolean,
  takenMessage?: (write: Write) => string,
  isTakenInAlert = false,
): SortedErrors {
  const sorted: SortedErrors = { atFields: [], others: [] }
  for (const failure of failures) {
    const fields = typeof errorFields === 'function' ? errorFields(failure.write) : errorFields
    const found = causesOf(failure, takenMessage ?? defaultTakenMessage).map(({ path, message }) => ({
      field: fieldAt(path, fields, hasField),
      message,
    }))
    const atFields = found.flatMap(({ field, message }) => (field ? [{ field, message }] : []))
    sorted.atFields.push(...atFields)
    const { write, cause } = failure
    const isTaken = isAlreadyExists(cause)
    if (atFields.length === 0 || atFields.length < found.length || (isTaken && isTakenInAlert)) {
      const isWorded = takenMessage && isTaken && atFields.length === 0
      sorted.others.push(isWorded ? { write, cause: new Error(takenMessage(write), { cause }) } : failure)
    }
  }
  return sorted
}

const defaultTakenMessage = (write: Write): string => `${write.type.kind} ${refOf(write).name} already exists`

function causesOf({ write, cause }: FailedWrite, takenMessage: (write: Write) => string) {
  if (!(cause instanceof ApiError)) return []
  if (isAlreadyExists(cause)) return [{ path: 'metadata.name', message: takenMessage(write) }]
  if (cause.code !== 422) return []
  return (cause.status?.details?.causes ?? []).map(({ field, message }) => ({
    path: field ?? '',
    message: message ?? cause.message,
  }))
}

/** `spec.params[1].value` is `params.1.value`, where `spec.params` comes from `params`. */
function fieldAt(path: string, errorFields: ErrorFields, hasField: (path: string) => boolean): string | undefined {
  const steps = path.split(/[.[\]]+/).filter(Boolean)
  for (let length = steps.length; length > 0; length--) {
    const field = errorFields[steps.slice(0, length).join('.')]
    if (field === undefined) continue
    const below = [field, ...steps.slice(length)].join('.')
    return hasField(below) ? below : field
  }
  return undefined
}

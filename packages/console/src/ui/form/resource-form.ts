import { zodResolver } from '@hookform/resolvers/zod'
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type DefaultValues, type FieldPath, type FieldValues, get, useForm, type UseFormReturn } from 'react-hook-form'
import type { $ZodType } from 'zod/v4/core'
import { isStatus } from '@slipway/kube/status'
import type { Message } from '../../api/messages'
import { type AppliedWrite, inOrder, type Performer, WriteError } from '../../api/writes/perform-writes'
import { writeFailure } from '../../api/writes/write-messages'
import type { Write } from '../../api/writes/writes'
import { reportSuccess } from '../actions/object-actions'
import { isConfidential } from './confidential'
import { useFormStateValue } from './form-state'
import { sortErrors } from './server-errors'
import { serverErrorPath } from './use-field'

type ErrorFieldsOf<Input extends FieldValues> = Readonly<Record<string, FieldPath<Input>>>

export interface ResourceFormOptions<Input extends FieldValues, Output> {
  /** The rules of the fields and their messages. */
  schema: $ZodType<Output, Input>
  defaults: DefaultValues<Input>
  /**
   * The writes of a valid form, in order. A pure function: it is where a form is tested. Absent for a form that only
   * hands its values to `onDone`.
   */
  toWrites?: (values: Output) => Write[]
  /** How the writes are performed; `inOrder` by default. */
  perform?: Performer<Output>
  /** What users call the subject of a write, for the message of a failure. */
  nameOf?: (write: Write) => string
  /**
   * The fields that errors from the server belong to, by the path in the object: `{ 'metadata.name': 'name' }`. An entry
   * of a list is named by its position: `{ 'spec.resolverRef.params.0.value': 'url' }`. A function where they differ
   * between the writes.
   */
  errorFields?: ErrorFieldsOf<Input> | ((write: Write) => ErrorFieldsOf<Input>)
  /** Message for a name that is already taken: at its field, or in the alert if it has none. */
  takenMessage?: (write: Write) => string
  /** Whether the alert repeats a taken name that has a field, in the words of the server. */
  isTakenInAlert?: boolean
  /**
   * Why it cannot be submitted for now, by what the fields do not know: data that has not loaded, or values that differ
   * from the defaults and would change nothing.
   */
  blocked?: (values: Input) => ResourceForm['blocked']
  /**
   * Fields whose rules depend on data outside the form, such as a list of names that are taken, each with that data. When
   * the data changes, the field is validated again and shows its error, unless it is still empty.
   */
  revalidateOn?: Partial<Record<FieldPath<Input>, unknown>>
  /** Whether it may be submitted unchanged and left without asking, as a confirmation may. */
  isConfirmation?: boolean
  /** Whether it may be submitted unchanged, since the page that links to it has filled it in. */
  isPrefilled?: boolean
  /** Called with what was written and the values, also if the user has left the form. */
  onWritten?: (applied: AppliedWrite[], values: Output) => void
  /** Shown in a toast with the name of what was written, since the page that follows may be a long list. */
  doneMessage?: string | ((values: Output) => string)
  /** Called after `onWritten`, unless the user has left the form by then. */
  onDone: (applied: AppliedWrite[], values: Output) => unknown
  onCancel: () => unknown
}

export interface ResourceForm<Input extends FieldValues = FieldValues, Output = unknown> {
  fields: UseFormReturn<Input, unknown, Output>
  /** Shown above the fields: says that another client has changed what the form edits (`useEditForm`). */
  notice?: ReactNode
  isSubmitting: boolean
  /** Why it cannot be submitted now. */
  blocked: 'unchanged' | 'invalid' | undefined
  /** Whether its last attempt has succeeded; it may stay until the next page has loaded. */
  isSaved: boolean
  /** Whether it was submitted, and has dropped its values since some are confidential. It shows no fields then. */
  isCleared: boolean
  /** Why the last attempt failed, except for errors at fields; the input is kept. */
  failure: Message | undefined
  /** Whether leaving would lose what the user entered. */
  isUnsaved: boolean
  /** Whether it is submitted or cancelled, so that it may be left without asking. */
  isSettled: RefObject<boolean>
  /** Sends the writes. If fields are invalid, moves the focus to the first one instead. */
  submit: (event: FormEvent) => void
  showErrors: () => void
  cancel: () => void
  /** What would be sent now, or `undefined` for an invalid form; absent for a form without writes. */
  currentWrites?: () => Promise<Write[] | undefined>
}

/** A form that writes objects. The loader of its page checks the permission to write before it is shown. */
export function useResourceForm<Input extends FieldValues, Output>({
  schema,
  defaults,
  toWrites,
  perform = inOrder,
  nameOf,
  errorFields = {},
  takenMessage,
  isTakenInAlert,
  blocked,
  revalidateOn = {},
  isConfirmation = false,
  isPrefilled = false,
  onWritten,
  doneMessage,
  onDone,
  onCancel,
}: ResourceFormOptions<Input, Output>): ResourceForm<Input, Output> {
  const [failure, setFailure] = useState<Message>()
  const [isSubmitting, setIsSubmitting] = useState(false)
  const [isSaved, setIsSaved] = useState(false)
  const [isCleared, setIsCleared] = useState(false)
  const resolve = zodResolver(schema)
  const fields = useForm<Input, unknown, Output>({
    // Without `names`, an error of a list as a whole is kept next to the errors of its rows.
    resolver: async (values, context, options) => {
      const result = await resolve(values, context, { ...options, names: undefined })
      const errors: Record<string, object | undefined> = result.errors
      // `trigger` applies the errors of a list only if they are an array.
      for (const [name, error] of Object.entries(errors))
        if (error && 'root' in error) errors[name] = Object.assign([], error)
      return result
    },
    defaultValues: defaults,
    // Validate while typing and on blur, so that a required field that is left empty says so.
    mode: 'all',
  })
  const isDirty = useFormStateValue(fields, (state) => state.isDirty)
  const isValid = useFormStateValue(fields, (state) => state.isValid)
  const { control } = fields
  // A field does this when it registers, but a confirmation has none.
  useEffect(() => void control._setValid(true), [control])
  useRevalidation(fields, revalidateOn)
  const isUnchanged = !isDirty && !isConfirmation && !isPrefilled
  const ownReason = useFormStateValue(fields, () => blocked?.(fields.getValues()))
  const reason = isUnchanged ? 'unchanged' : isValid ? ownReason : 'invalid'
  const isUnmounted = useIsUnmounted()
  const isSettled = useRef(false)
  const isSending = useRef(false)
  /** How the last attempt failed, and what is in effect since. */
  const previous = useRef<WriteError>(undefined)

  const report = (error: unknown) => {
    if (!(error instanceof WriteError)) return setFailure(writeFailure(error, nameOf))
    previous.current = error
    const hasField = (path: string) => get(fields.getValues(), path) !== undefined
    const { atFields, others } = sortErrors(error.failures, errorFields, hasField, takenMessage, isTakenInAlert)
    for (const { field, message } of atFields) fields.setError(serverErrorPath(field), { type: 'server', message })
    // `errorFields` contains paths of the form, and any path below one was found in its values.
    if (atFields[0]) fields.setFocus(atFields[0].field as FieldPath<Input>)
    if (others.length > 0 || error.applied.length > 0) setFailure(writeFailure(error, nameOf, others))
  }
  const showErrors = () => void fields.trigger(undefined, { shouldFocus: true, shouldTouch: true })
  const clear = () => {
    previous.current = undefined
    fields.reset(defaults)
    setIsCleared(true)
  }
  const send = async (values: Output) => {
    setFailure(undefined)
    setIsSaved(false)
    try {
      const results = toWrites ? await perform(toWrites(values), { values, previous: previous.current }) : []
      isSettled.current = true
      setIsSaved(true)
      onWritten?.(results, values)
      if (doneMessage) reportWritten(results, typeof doneMessage === 'string' ? doneMessage : doneMessage(values))
      // Do not navigate if the user has already left the page.
      if (isUnmounted.current) return
      const done = () => onDone(results, values)
      if (isConfidential(fields.control)) {
        // Not when the next page replaces this one: that takes as long as loading it, and may never happen.
        await flushSync(() => {
          clear()
          // In the same render, so that users do not see how a dialog is emptied before it closes.
          return done()
        })
      } else await done()
    } catch (error) {
      report(error)
    }
  }
  return {
    fields,
    isSubmitting,
    blocked: isSubmitting ? undefined : reason,
    isSaved,
    isCleared,
    failure,
    isUnsaved: isDirty && !isConfirmation,
    isSettled,
    submit: (event) => {
      event.preventDefault()
      // React passes it on to a form around the dialog, although the page does not nest them.
      event.stopPropagation()
      if (isSending.current || isUnchanged || ownReason) return
      isSending.current = true
      setIsSubmitting(true)
      void fields
        .handleSubmit(send, showErrors)()
        .finally(() => {
          isSending.current = false
          setIsSubmitting(false)
        })
    },
    showErrors,
    cancel: () => {
      isSettled.current = true
      onCancel()
    },
    ...(toWrites && {
      currentWrites: async () => {
        const result = await schema['~standard'].validate(fields.getValues())
        if (result.issues) return undefined
        const writes = toWrites(result.value)
        return perform.plan ? perform.plan(writes, { previous: previous.current }) : writes
      },
    }),
  }
}

/**
 * The current version of what a form edits, unless the form itself may have written it: from when it is submitted, the
 * version before, until the attempt has failed.
 * @param current the version in the cluster; a watch may report the form's own write before the response arrives
 */
export function useForeignVersion<T>(
  { isSubmitting, isSaved }: Pick<ResourceForm, 'isSubmitting' | 'isSaved'>,
  current: T,
): T {
  const [before, setBefore] = useState(current)
  if (isSubmitting || isSaved) return before
  if (before !== current) setBefore(current)
  return current
}

function reportWritten(applied: readonly AppliedWrite[], message: string) {
  for (const { result } of applied) if (result && !isStatus(result)) return reportSuccess(result, message)
}

function useRevalidation<Input extends FieldValues, Output>(
  { getValues, setValue }: UseFormReturn<Input, unknown, Output>,
  data: Partial<Record<FieldPath<Input>, unknown>>,
): void {
  const validated = useRef<typeof data>({})
  useEffect(() => {
    // The keys of this record are the paths.
    const paths = Object.keys(data) as FieldPath<Input>[]
    const changed = paths.filter((path) => data[path] !== validated.current[path])
    validated.current = data
    for (const path of changed) {
      const value = getValues(path)
      // Touched, since an error is shown only then, and the value may come from the address of the page.
      if (value) setValue(path, value, { shouldTouch: true, shouldValidate: true })
    }
  })
}

function useIsUnmounted() {
  const isUnmounted = useRef(false)
  useEffect(() => {
    isUnmounted.current = false
    return () => void (isUnmounted.current = true)
  }, [])
  return isUnmounted
}

import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useRef, useState } from 'react'
import { type DefaultValues, type FieldValues, useForm, type UseFormReturn } from 'react-hook-form'
import { useNavigate } from 'react-router'
import type { $ZodType } from 'zod/v4/core'
import type { Words } from '../../api/messages'
import { writeFailure } from '../../api/write-messages'
import { performWrites, WriteError, type AppliedWrite, type WriteStrategy } from '../../api/perform-writes'
import type { Write } from '../../api/writes'

interface ResourceFormOptions<Input extends FieldValues, Output> {
  /** The rules of the fields and their messages. */
  schema: $ZodType<Output, Input>
  defaults: DefaultValues<Input>
  /** What a valid form asks for, in order. A pure function: it is where a form is tested. */
  toWrites: (values: Output) => Write[]
  strategy?: WriteStrategy
  /** What people call that which a write is about, for the words of a failure. */
  nameOf?: (write: Write) => string
  /** Where to go once everything is written, and when the form is left without it. */
  done: string
}

export interface ResourceForm<Input extends FieldValues = FieldValues, Output = unknown> {
  fields: UseFormReturn<Input, unknown, Output>
  /** Changed, valid and not being sent. */
  maySubmit: boolean
  isSubmitting: boolean
  /** Why the last attempt failed; what was entered is still there. */
  failure: Words | undefined
  submit: () => void
  cancel: () => void
}

/**
 * A form that writes objects: every write goes as a dry run first, in order, and only when all are accepted they are
 * made. Then it leaves for `done`. The right to write is checked by the loader of the page, before it is shown.
 */
export function useResourceForm<Input extends FieldValues, Output>({
  schema,
  defaults,
  toWrites,
  strategy,
  nameOf,
  done,
}: ResourceFormOptions<Input, Output>): ResourceForm<Input, Output> {
  const navigate = useNavigate()
  const [failure, setFailure] = useState<Words>()
  const fields = useForm<Input, unknown, Output>({
    resolver: zodResolver(schema),
    defaultValues: defaults,
    // While typing, and when a field is left: a required one that is left empty says so.
    mode: 'all',
  })
  const { isDirty, isValid, isSubmitting } = fields.formState
  const maySubmit = isDirty && isValid && !isSubmitting
  const isLeft = useIsUnmounted()
  /** What an earlier attempt applied. */
  const applied = useRef<readonly AppliedWrite[]>([])

  const send = async (values: Output) => {
    setFailure(undefined)
    try {
      await performWrites(toWrites(values), { strategy, applied: applied.current })
    } catch (error) {
      if (error instanceof WriteError) applied.current = error.applied
      setFailure(writeFailure(error, nameOf))
      return
    }
    // Whoever has gone elsewhere meanwhile stays there.
    if (!isLeft.current) await navigate(done)
  }
  return {
    fields,
    maySubmit,
    isSubmitting,
    failure,
    submit: () => {
      if (maySubmit) void fields.handleSubmit(send)()
    },
    cancel: () => void navigate(done),
  }
}

function useIsUnmounted() {
  const isUnmounted = useRef(false)
  useEffect(() => {
    isUnmounted.current = false
    return () => void (isUnmounted.current = true)
  }, [])
  return isUnmounted
}

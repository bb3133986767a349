import type { KubeObject } from '@slipway/kube/object'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { getQuery } from '../../api/queries'
import { onDefinition } from '../../api/writes/on-definition'
import type { Write } from '../../api/writes/writes'
import { type ResourceForm, type ResourceFormOptions, useResourceForm } from './resource-form'
import { VersionNotice, type VersionNoticeTexts } from './VersionNotice'

interface EditFormOptions<T extends KubeObject, Input extends FieldValues, Output>
  extends Omit<ResourceFormOptions<Input, Output>, 'toWrites' | 'perform'>, VersionNoticeTexts {
  /** The version that the form starts from. */
  original: T
  query: ReturnType<typeof getQuery<T>>
  /** The writes for a version of the object. */
  toWrites: (version: T, values: Output) => Write[]
  /** Whether two versions are the same for the form; by default, if they are one version. */
  isSame?: (a: T, b: T) => boolean
  /** Discards the input and starts again from the current version; absent where the form cannot. */
  onReload?: (current: T) => void
}

interface EditForm<T, Input extends FieldValues, Output> extends ResourceForm<Input, Output> {
  /** The version that the changes are written to: the original, until the user chooses another. */
  base: T
}

/**
 * A form that edits an object. It says if another client changes or deletes the object while it is open; a change that
 * does not concern it does not prevent saving.
 */
export function useEditForm<T extends KubeObject, Input extends FieldValues, Output>({
  original,
  query,
  toWrites,
  isSame = isSameVersion,
  onReload,
  noun,
  part,
  changedBy,
  isComparable,
  ...options
}: EditFormOptions<T, Input, Output>): EditForm<T, Input, Output> {
  const [base, setBase] = useState(original)
  const latest = useQuery(query)
  const form = useResourceForm({
    ...options,
    toWrites: (values: Output) => toWrites(base, values),
    perform: onDefinition(base, query, { toWrites, isSame }),
  })
  const reload = (current: T) => {
    setBase(current)
    onReload?.(current)
  }
  const notice = (
    <VersionNotice
      base={base}
      latest={latest}
      form={form}
      isSame={isSame}
      onUse={setBase}
      onReload={onReload && reload}
      {...{ noun, part, changedBy, isComparable }}
    />
  )
  return { ...form, base, notice }
}

const isSameVersion = (a: KubeObject, b: KubeObject): boolean =>
  a.metadata.resourceVersion === b.metadata.resourceVersion

import { Alert, AlertActionLink } from '@patternfly/react-core'
import { type KubeObject, uidOf } from '@slipway/kube/object'
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isMissing } from '../../api/archive/origin'
import { ChunkLoadAlert, lazyComponent } from '../page/lazy-component'
import { type ResourceForm, useForeignVersion } from './resource-form'

// Loaded on demand, since the YAML writer is large.
const VersionDiff = lazyComponent(() => import('./VersionDiff'), 'VersionDiff', { Missing: ChunkLoadAlert })

export interface VersionNoticeTexts {
  /** What the object is called, as in `integration test`. */
  noun: string
  /** What a dialog edits, which it replaces as a whole: `contexts`. */
  part?: string
  /** What may have changed the object: `Another user or a controller`. */
  changedBy?: string
  /** Whether both versions can be compared; not for a Secret, whose values are blank. */
  isComparable?: boolean
}

interface VersionNoticeProps<T extends KubeObject> extends VersionNoticeTexts {
  /** The version that the changes are written to. */
  base: T
  /** The query of the object. */
  latest: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>
  form: Pick<ResourceForm, 'isSubmitting' | 'isSaved' | 'failure'>
  isSame: (a: T, b: T) => boolean
  onUse: (current: T) => void
  /** Discards the input and starts again from the current version; absent where the form cannot. */
  onReload: ((current: T) => void) | undefined
}

/** Says that another client has changed or deleted an object while its form is open. The input stays. */
export function VersionNotice<T extends KubeObject>({
  noun,
  part,
  changedBy = 'Another user or a controller',
  isComparable = false,
  base,
  latest,
  form,
  isSame,
  onUse,
  onReload,
}: VersionNoticeProps<T>) {
  const { error, refetch } = latest
  const data = useForeignVersion(form, latest.data)
  /** The last attempt failed, perhaps because of another version. */
  const hasFailed = form.failure !== undefined
  useEffect(() => {
    if (hasFailed) void refetch()
  }, [hasFailed, refetch])
  const [isCompared, setIsCompared] = useState(false)
  const isReplaced = data && uidOf(data) !== uidOf(base)
  if (isMissing(error) || isReplaced) {
    return (
      <Alert
        isInline
        isLiveRegion
        variant="danger"
        component="p"
        title={isReplaced ? `This ${noun} has been deleted and created again` : `This ${noun} has been deleted`}
      >
        Your changes cannot be saved. Copy what you still need before you leave this page.
      </Alert>
    )
  }
  if (!data || isSame(data, base)) return null
  const reload = onReload && (
    <AlertActionLink onClick={() => onReload(data)}>
      {part ? `Start again with the current ${part}` : 'Discard my changes and start again'}
    </AlertActionLink>
  )
  const common = { isInline: true, isLiveRegion: true, variant: 'warning', component: 'p' } as const
  if (part) {
    return (
      <Alert {...common} title={`The ${part} have changed since you opened this dialog`} actionLinks={reload}>
        Saving replaces them by your input. “Show change” compares both.
      </Alert>
    )
  }
  return (
    <Alert
      {...common}
      title={`This ${noun} has changed since you opened it`}
      actionLinks={
        <>
          {isComparable && (
            <AlertActionLink aria-expanded={isCompared} onClick={() => setIsCompared(!isCompared)}>
              {isCompared ? 'Hide what changed' : 'Show what changed'}
            </AlertActionLink>
          )}
          <AlertActionLink onClick={() => onUse(data)}>Apply my changes to the current version</AlertActionLink>
          {reload}
        </>
      }
    >
      {changedBy} has changed it. Only what you change here is written, and the rest is kept.
      {isCompared && <VersionDiff before={base} after={data} />}
    </Alert>
  )
}

import type { KubeObject } from '@slipway/kube/object'
import { waitFor } from '@testing-library/react'
import { expect } from 'vitest'
import { queryClient } from '../src/api/query-client'
import { type Faults, isDryRun } from './cluster'

/**
 * Holds the responses of real writes to a kind, which the cluster applies, as a slow connection does: a watch then reports
 * them first. Returns a function that lets them through.
 * @param plural of the kind, as in `secrets`
 */
export function holdWriteResponses({ intercept, pass }: Faults, plural: string): () => void {
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  intercept((path, init) =>
    /^(POST|PUT|PATCH)$/.test(init.method ?? 'GET') &&
    path.includes(`/${plural}/`) &&
    !isDryRun({ path, body: init.body })
      ? pass(path, init).finally(() => isReleased)
      : undefined,
  )
  return release
}

/** Waits until the console knows another version of an object than `before`. */
export const versionAfter = (before: KubeObject, { queryKey }: { queryKey: readonly unknown[] }): Promise<void> =>
  waitFor(() => {
    const now = queryClient.getQueryData<KubeObject>(queryKey)
    expect(now?.metadata.resourceVersion).not.toBe(before.metadata.resourceVersion)
  })

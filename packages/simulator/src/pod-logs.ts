import type { KubeClient } from '@slipway/kube/client'
import { podType } from '@slipway/kube/core-types'
import { queryString, resourcePath } from '@slipway/kube/path'
import { ApiError } from '@slipway/kube/status'

export interface PodLocation {
  namespace?: string
  name: string
}

/** The logs of pods in a cluster where no kubelet writes any. */
export interface PodLogs {
  /**
   * False once the cluster has responded that it does not store logs. From then on nothing is written, and nothing can
   * be read.
   */
  readonly areStored: boolean
  /** @param atMs when the first line was written; ms since 1970 */
  write(pod: PodLocation, container: string, text: string, atMs: number): Promise<void>
  read(pod: PodLocation, container: string): Promise<string>
}

/**
 * Writes logs with `POST …/pods/{name}/log`, which only the API server of this project serves. A 405 response means
 * that the cluster does not support it: from then on, logs are dropped without a request.
 */
export function createPodLogs(client: KubeClient): PodLogs {
  let areStored = true
  /**
   * The first write, which shows whether the cluster stores logs. The others wait for it, so that at most one is
   * rejected.
   */
  let first: Promise<void> | undefined

  async function post(pod: PodLocation, container: string, text: string, atMs: number) {
    const query = queryString({ container, time: new Date(atMs).toISOString() })
    try {
      await client.request(`${resourcePath(podType, { ...pod, subresource: 'log' })}${query}`, {
        method: 'POST',
        headers: { 'content-type': 'text/plain' },
        body: text,
      })
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 405)) throw error
      areStored = false
    }
  }

  return {
    get areStored() {
      return areStored
    },
    async write(...log) {
      if (!first) return (first = post(...log))
      // An error is reported to the caller of the first write.
      await first.catch(() => {})
      if (areStored) await post(...log)
    },
    read: ({ namespace, name }, container) => client.log(name, { namespace, container }),
  }
}

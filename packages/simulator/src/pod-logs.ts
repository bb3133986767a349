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
  /** False once the cluster has refused to store logs: then nothing is written, and there is nothing to read. */
  readonly areStored: boolean
  /** @param atMs when the first line was written; ms since 1970 */
  write(pod: PodLocation, container: string, text: string, atMs: number): Promise<void>
  read(pod: PodLocation, container: string): Promise<string>
}

const logPath = (pod: PodLocation) => resourcePath(podType, { ...pod, subresource: 'log' })

/**
 * Writes logs by `POST …/pods/{name}/log`, which only the API server of this project serves. The first answer of 405
 * says that this cluster does not: from then on logs are omitted, and no further request is made for one.
 */
export function createPodLogs(client: KubeClient): PodLogs {
  let areStored = true
  /** The first write, which shows what the cluster does: others wait for it, so that only one is refused. */
  let first: Promise<void> | undefined

  async function post(pod: PodLocation, container: string, text: string, atMs: number) {
    const query = queryString({ container, time: new Date(atMs).toISOString() })
    try {
      await client.request(`${logPath(pod)}${query}`, {
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
      // Its failure is reported to its own caller.
      await first.catch(() => {})
      if (areStored) await post(...log)
    },
    read: (pod, container) => client.text(`${logPath(pod)}${queryString({ container })}`),
  }
}

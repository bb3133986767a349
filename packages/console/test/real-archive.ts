import { openArchiveStore } from '@slipway/archive/store/store'
import type { KubeClient } from '@slipway/kube/client'
import type { KubeObject } from '@slipway/kube/object'
import { startArchive } from '@slipway/slipway/archive'
import type { ArchiveChoice } from '@slipway/slipway/options'
import { onTestFinished } from 'vitest'
import type { Archives } from './cluster'

export interface Past {
  /** Complete objects, with their uids and creation times. */
  objects: KubeObject[]
  /** Lines of container logs, by `pod/container`. */
  logs?: Record<string, string[]>
}

/**
 * The product's own archive, containing these deleted objects.
 * @param choice the APIs that it serves
 */
export const realArchive =
  ({ objects, logs = {} }: Past, choice: Exclude<ArchiveChoice, 'none'> = 'kubearchive') =>
  async (apiUrl: string, system: KubeClient): Promise<Archives> => {
    const store = openArchiveStore(':memory:')
    const limits = { maxDays: 90, maxMegabytes: 150 }
    const archive = await startArchive({ choice, store, apiUrl, system, host: '127.0.0.1', ...limits })
    onTestFinished(() => archive.close())
    await archive.store({
      objects,
      logs: Object.entries(logs).map(([key, lines]) => {
        const [pod = '', container = ''] = key.split('/')
        return { pod, container, lines: () => lines.map((text, index) => ({ atMs: index, text })) }
      }),
    })
    archive.begin()
    return archive.plugins
  }

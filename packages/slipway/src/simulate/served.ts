import type { KubeClient } from '@slipway/kube/client'
import { systemClock, type Clock } from '@slipway/kube/clock'
import { customResourceDefinitionType } from '@slipway/kube/core-types'
import type { Condition, KubeObject } from '@slipway/kube/object'
import { nameOf } from '@slipway/kube/object'
import { isNotFound } from '@slipway/kube/status'
import type { CustomResourceDefinition } from '@slipway/model/crds/define-crd'
import { StartError } from '../start-error'

const pollMs = 200
/** A single server takes about a second; with several, it takes about five seconds longer. */
const timeoutMs = 60_000

/**
 * Waits until objects of new definitions can be written: a server first accepts a definition, then establishes it, and
 * serves it shortly afterwards.
 * @throws StartError with the server's reason if it does not
 */
export async function untilServed(
  client: KubeClient,
  definitions: CustomResourceDefinition[],
  clock: Clock = systemClock,
): Promise<void> {
  const giveUpAtMs = clock.now() + timeoutMs
  for (const definition of definitions) {
    for (;;) {
      const problem = await problemOf(client, definition)
      if (problem === undefined) break
      if (clock.now() >= giveUpAtMs) {
        throw new StartError(`The cluster does not serve ${nameOf(definition)}: ${problem}`)
      }
      await new Promise<void>((resolve) => void clock.after(pollMs, resolve))
    }
  }
}

/** Why a kind is not served; `undefined` if it is. */
async function problemOf(client: KubeClient, definition: CustomResourceDefinition): Promise<string | undefined> {
  const stored: KubeObject & { status?: { conditions?: Condition[] | null } } = await client.get(
    customResourceDefinitionType,
    nameOf(definition),
  )
  const conditions = stored.status?.conditions ?? []
  if (!conditions.some(({ type, status }) => type === 'Established' && status === 'True')) {
    return conditions.find(({ status }) => status === 'False')?.message ?? 'it is not established yet.'
  }
  const { group, versions, names } = definition.spec
  for (const { name } of versions) {
    const path = `/apis/${group}/${name}/${names.plural}?limit=1`
    const isServed = await client.request(path).then(
      () => true,
      (error: unknown) => {
        if (isNotFound(error)) return false
        throw error
      },
    )
    if (!isServed) return `there is nothing at /apis/${group}/${name}/${names.plural}.`
  }
  return undefined
}

import { isConflict } from '@slipway/kube/status'
import { type Defined, hasSameDefinition } from '@slipway/model/supply-chain/definition'
import type { getQuery } from '../queries'
import { queryClient } from '../query-client'
import { performWrites, WriteError } from './perform-writes'
import type { Write } from './writes'

/**
 * Performs the writes for `base`, or for a later version with the same definition: a change of the status alone does not
 * concern the user.
 * @param base the version that was read
 * @param query of the object
 * @param toWrites the writes for a version
 * @throws WriteError when another client has changed the definition
 */
export async function performOnDefinition<T extends Defined>(
  base: T,
  query: ReturnType<typeof getQuery<T>>,
  toWrites: (version: T) => Write[],
): Promise<void> {
  try {
    await performWrites(toWrites(base))
  } catch (error) {
    if (!(error instanceof WriteError && isConflict(error.cause))) throw error
    const current = await queryClient.fetchQuery({ ...query, staleTime: 0 })
    if (!hasSameDefinition(current, base)) throw error
    await performWrites(toWrites(current))
  }
}

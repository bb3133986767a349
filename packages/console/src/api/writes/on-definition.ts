import { isConflict } from '@slipway/kube/status'
import { type Defined, hasSameDefinition } from '@slipway/model/supply-chain/definition'
import type { getQuery } from '../queries'
import { queryClient } from '../query-client'
import { inOrder, type Performer, WriteError } from './perform-writes'
import type { Write } from './writes'

/**
 * In order, for `base` or for a later version with the same definition: a change of the status alone does not concern
 * the user.
 * @param base the version that the writes are for
 * @param query of the object
 * @param toWrites the writes for another version
 */
export const onDefinition =
  <T extends Defined, Values>(
    base: T,
    query: ReturnType<typeof getQuery<T>>,
    toWrites: (version: T, values: Values) => Write[],
  ): Performer<Values> =>
  async (writes, { values }) => {
    try {
      return await inOrder(writes)
    } catch (error) {
      if (!(error instanceof WriteError && isConflict(error.cause))) throw error
      const current = await queryClient.fetchQuery({ ...query, staleTime: 0 })
      if (!hasSameDefinition(current, base)) throw error
      return inOrder(toWrites(current, values))
    }
  }

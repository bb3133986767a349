import type { KubeObject } from '@slipway/kube/object'
import { isConflict } from '@slipway/kube/status'
import type { getQuery } from '../queries'
import { queryClient } from '../query-client'
import { inOrder, type Performer, WriteError } from './perform-writes'
import type { Write } from './writes'

interface DefinitionOptions<T, Values> {
  /** The writes for another version. */
  toWrites: (version: T, values: Values) => Write[]
  /** Whether what users edit is the same in two versions: a change of the status alone does not concern them. */
  isSame: (a: T, b: T) => boolean
}

/**
 * In order, for `base` or for a later version with the same definition.
 * @param base the version that the writes are for
 * @param query of the object
 */
export const onDefinition =
  <T extends KubeObject, Values>(
    base: T,
    query: ReturnType<typeof getQuery<T>>,
    { toWrites, isSame }: DefinitionOptions<T, Values>,
  ): Performer<Values> =>
  async (writes, { values }) => {
    try {
      return await inOrder(writes)
    } catch (error) {
      if (!(error instanceof WriteError && isConflict(error.cause))) throw error
      const current = await queryClient.fetchQuery({ ...query, staleTime: 0 })
      if (!isSame(current, base)) throw error
      return inOrder(toWrites(current, values))
    }
  }

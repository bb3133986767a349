import type { KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { createInformer } from '../src/informer'
import type { World } from './world'

interface Audited<T extends KubeObject> {
  type: ResourceType<T>
  /** Describes the state of an object; empty if it is not worth an entry. */
  describe(object: T): string
}

/** A kind to audit, with its own description. */
export const audited = <T extends KubeObject>(kind: Audited<T>): Audited<KubeObject> =>
  // It is only called with objects of its own type.
  kind as unknown as Audited<KubeObject>

/** Replaces the generated parts of a name: times, commits and random suffixes. */
const readable = (name: string) =>
  name
    .replace(/-\d{8}-\d{6}-\d{3}/, '-{time}')
    .replace(/(?<=-\{time\})-[0-9a-f]{7}(?=-)/, '-{sha}')
    .replace(/-[bcdfghjklmnpqrstvwxz2456789]{5}(?=-|$)/g, '-*')

/**
 * Records the changes of objects of these kinds from now on, in the order of their versions.
 * @param home the namespace that is omitted from entries
 */
export async function startAudit(
  { client, clock }: Pick<World, 'client' | 'clock'>,
  home: string,
  kinds: Audited<KubeObject>[],
) {
  const entries: { version: bigint; line: string }[] = []
  const last = new Map<string, string>()
  let newest = 0n
  const informers = kinds.map(({ type, describe }) =>
    createInformer({
      client,
      clock,
      type,
      onChange({ object, previous }) {
        const { uid = '', name = '', namespace = '', resourceVersion = '0' } = (object ?? previous)?.metadata ?? {}
        // The version of a deletion is unknown.
        const version = object ? BigInt(resourceVersion) : newest
        if (version > newest) newest = version
        const description = object ? describe(object) : 'deleted'
        if (!description || last.get(uid) === description) return
        last.set(uid, description)
        const prefix = namespace === home ? '' : `${namespace}/`
        entries.push({ version, line: `${type.kind} ${prefix}${readable(name)}: ${description}` })
      },
      warn: (message) => {
        throw new Error(message)
      },
    }),
  )
  await Promise.all(informers.map(({ synced }) => synced))
  return {
    lines: () => entries.toSorted((a, b) => Number(a.version - b.version)).map(({ line }) => line),
    close: () => informers.forEach((informer) => informer.close()),
  }
}

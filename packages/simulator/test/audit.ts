import type { KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { createInformer } from '../src/informer'
import type { World } from './world'

interface Audited<T extends KubeObject> {
  type: ResourceType<T>
  /** What is worth telling of an object; empty for nothing. */
  tell(object: T): string
}

/** A kind that is told of, in its own words. */
export const audited = <T extends KubeObject>(kind: Audited<T>): Audited<KubeObject> =>
  // Only objects of its own type reach it.
  kind as unknown as Audited<KubeObject>

/** Without the parts of a name that are generated: times, commits and the letters at the end. */
const readable = (name: string) =>
  name
    .replace(/-\d{8}-\d{6}-\d{3}/, '-{time}')
    .replace(/(?<=-\{time\})-[0-9a-f]{7}(?=-)/, '-{sha}')
    .replace(/-[bcdfghjklmnpqrstvwxz2456789]{5}(?=-|$)/g, '-*')

/**
 * Writes down what becomes of objects of these kinds from now on, in the order in which the cluster changes.
 * @param home the namespace that is not said
 */
export async function startAudit(
  { client, clock }: Pick<World, 'client' | 'clock'>,
  home: string,
  kinds: Audited<KubeObject>[],
) {
  const entries: { version: bigint; line: string }[] = []
  const last = new Map<string, string>()
  let newest = 0n
  const informers = kinds.map(({ type, tell }) =>
    createInformer({
      client,
      clock,
      type,
      onChange({ object, previous }) {
        const { uid = '', name = '', namespace = '', resourceVersion = '0' } = (object ?? previous)?.metadata ?? {}
        // Of what is gone, nobody tells at which version it went.
        const version = object ? BigInt(resourceVersion) : newest
        if (version > newest) newest = version
        const words = object ? tell(object) : 'deleted'
        if (!words || last.get(uid) === words) return
        last.set(uid, words)
        const place = namespace === home ? '' : `${namespace}/`
        entries.push({ version, line: `${type.kind} ${place}${readable(name)}: ${words}` })
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

import type { KubeClient } from '@slipway/kube/client'
import type { Clock } from '@slipway/kube/clock'
import { clusterRoleBindingType, clusterRoleType, roleBindingType, roleType } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import { qualifiedPlural, type ResourceType } from '@slipway/kube/resource-type'
import type { WatchEvent } from '@slipway/kube/watch-event'
import { followList } from './follow-list'
import { createGrants, type Concern, type RbacKind } from './grants'

/** Watches the four kinds of RBAC. */
export interface RoleChanges {
  /** Whether every change of RBAC is seen at once. */
  readonly isLive: boolean
  close(): void
}

interface Options {
  client: Pick<KubeClient, 'pages' | 'watch'>
  clock: Clock
  /** Users whose rights may just have changed. */
  onChange(concerns: readonly Concern[]): void
  /** Called once, when changes are seen for the first time: of earlier ones nothing is known. */
  onFirstLive(): void
  warn(message: string): void
}

const types: [RbacKind, ResourceType][] = [
  ['Role', roleType],
  ['ClusterRole', clusterRoleType],
  ['RoleBinding', roleBindingType],
  ['ClusterRoleBinding', clusterRoleBindingType],
]

export function watchRoleChanges({ client, clock, onChange, onFirstLive, warn }: Options): RoleChanges {
  const grants = createGrants()
  const live = new Set<RbacKind>()
  let wasLive = false

  const follow = ([kind, type]: [RbacKind, ResourceType]) => {
    let listed: KubeObject[] = []
    return followList({
      client,
      clock,
      servedTypes: async () => [type],
      beginList: () => (listed = []),
      addPage: (objects) => listed.push(...objects.map((object) => withoutRules(object))),
      endList() {
        report(grants.replace(kind, listed))
        listed = []
      },
      onEvents: (events) => report(events.flatMap((event) => concernsOf(kind, event))),
      onProblem(why) {
        if (why !== undefined) {
          live.delete(kind)
          return warn(`Changes of ${qualifiedPlural(type)} are not seen: ${why}`)
        }
        live.add(kind)
        if (wasLive || live.size < types.length) return
        wasLive = true
        onFirstLive()
      },
      warn,
    })
  }

  function concernsOf(kind: RbacKind, event: WatchEvent): Concern[] {
    if (event.type === 'ERROR' || event.type === 'BOOKMARK') return []
    return event.type === 'DELETED' ? grants.delete(kind, event.object) : grants.set(kind, event.object)
  }

  const report = (concerns: Concern[]) => {
    if (wasLive && concerns.length > 0) onChange(concerns)
  }
  const follows = types.map(follow)
  return {
    get isLive() {
      return live.size === types.length
    },
    close: () => follows.forEach((each) => each.close()),
  }
}

/** Aggregated roles can be long, and only who is bound to a role matters here. */
const withoutRules = (object: KubeObject): KubeObject => ({ ...object, rules: null }) as KubeObject

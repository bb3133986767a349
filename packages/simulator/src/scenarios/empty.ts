import type { Scenario } from './scenario'
import { teamNamespace } from './team'

/** The namespaces of the demo, in which nobody has done anything yet. */
export const empty: Scenario = {
  *seeds(context) {
    const team = { admin: 'admin', maintainer: 'maintainer', contributor: 'contributor' } as const
    yield* teamNamespace('team-payments', team, context)
    yield* teamNamespace('team-platform', team, context)
    yield* teamNamespace('team-sandbox', { admin: 'admin', maintainer: 'maintainer' }, context)
  },
}

import type { Scenario } from './scenario'
import { teamNamespace } from './team'

/** Three namespaces of the demo without any contents. */
export const empty: Scenario = {
  *seeds(context) {
    const team = { admin: 'admin', maintainer: 'maintainer', contributor: 'contributor' } as const
    yield* teamNamespace('team-payments', team, context)
    yield* teamNamespace('team-platform', team, context)
    yield* teamNamespace('team-sandbox', { admin: 'admin', maintainer: 'maintainer' }, context)
  },
}

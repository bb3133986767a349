import { snapshotType } from '../snapshots/snapshot'
import { componentSource } from './components'
import { anything, boolean, conditions, defineCrd, listOf, mapOf, object, strings } from './define-crd'

const component = object({ ...strings('name', 'version', 'containerImage'), source: componentSource }, [
  'name',
  'containerImage',
])

export const snapshots = defineCrd({
  group: snapshotType.group,
  kind: 'Snapshot',
  plural: 'snapshots',
  shortNames: ['as', 'snapshot'],
  versions: [
    {
      name: 'v1alpha1',
      spec: object({
        ...strings('application', 'componentGroup', 'displayName', 'displayDescription'),
        components: listOf(component),
        artifacts: object({ unstableFields: anything }),
      }),
      status: object({
        conditions,
        parentSnapshots: mapOf(object({ created: boolean, ...strings('err', 'name') }, ['created'])),
      }),
    },
  ],
})

import { anything, conditions, defineCrd, listOf, open, string } from './define-crd'

const component = open(
  {
    name: string,
    version: string,
    containerImage: string,
    source: open({ git: open({ url: string, revision: string, context: string }, ['url']) }),
  },
  ['name', 'containerImage'],
)

export const snapshots = defineCrd({
  group: 'appstudio.redhat.com',
  kind: 'Snapshot',
  plural: 'snapshots',
  shortNames: ['as', 'snapshot'],
  versions: [
    {
      name: 'v1alpha1',
      spec: open({
        application: string,
        componentGroup: string,
        displayName: string,
        displayDescription: string,
        components: listOf(component),
        artifacts: open({ unstableFields: anything }),
      }),
      status: open({ conditions }),
    },
  ],
})

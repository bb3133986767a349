import { componentGroupType } from '../builds/component-group'
import {
  ageColumn,
  boolean,
  conditions,
  defineCrd,
  listOf,
  mapOf,
  object,
  reference,
  string,
  strings,
  textParams,
  time,
} from './define-crd'

const member = object(
  {
    name: reference,
    kind: { type: 'string', pattern: '(?i)^(component|componentGroup)$', default: 'component' },
    componentVersion: object(strings('name', 'version', 'context'), ['name']),
  },
  ['name'],
)

export const componentGroups = defineCrd({
  group: componentGroupType.group,
  kind: 'ComponentGroup',
  plural: 'componentgroups',
  shortNames: ['cg'],
  versions: [
    {
      name: 'v1beta2',
      spec: object(
        {
          components: listOf(member),
          snapshotCreator: object({
            taskRef: object({ params: textParams, resolver: string }, ['params', 'resolver']),
          }),
          testGraph: mapOf(listOf(object({ name: string, failFast: { ...boolean, default: false } }, ['name']))),
        },
        ['components'],
      ),
      status: object({
        conditions,
        globalCandidateList: listOf(
          object(
            {
              ...strings('name', 'version', 'url', 'lastPromotedImage', 'lastPromotedCommit'),
              lastPromotedBuildTime: time,
            },
            ['name'],
          ),
        ),
      }),
      columns: [ageColumn],
    },
  ],
})

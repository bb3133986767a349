import { releasePlanAdmissionType } from '../releases/release-plan'
import {
  boolean,
  conditions,
  defineCrd,
  integer,
  listOf,
  object,
  open,
  qualifiedReference,
  reference,
  string,
  strings,
} from './define-crd'
import { computeResources } from './pods'
import { collectors, releasePipeline } from './release-pipelines'

const increase = object(strings('increment', 'maxTimeout'), ['increment'])
/** How failed pipelines are retried, which an operator sets. */
const retryInfo = object(
  {
    enabled: boolean,
    maxRetries: integer,
    mitigations: object({
      oomKill: object(
        { maxComputeResources: computeResources, multiplier: { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?$' } },
        ['multiplier'],
      ),
      timeout: object({ pipeline: increase, task: increase }),
    }),
    reason: string,
  },
  ['enabled', 'reason'],
)

export const releasePlanAdmissions = defineCrd({
  group: releasePlanAdmissionType.group,
  kind: 'ReleasePlanAdmission',
  plural: 'releaseplanadmissions',
  shortNames: ['rpa'],
  versions: [
    {
      name: 'v1alpha1',
      spec: {
        ...object(
          {
            applications: { ...listOf(string), minItems: 1 },
            componentGroups: { ...listOf(string), minItems: 1 },
            origin: reference,
            policy: reference,
            environment: reference,
            data: open(),
            collectors,
            pipeline: object(releasePipeline, ['pipelineRef']),
          },
          ['origin', 'policy'],
        ),
        'x-kubernetes-validations': [
          {
            rule: 'has(self.applications) != has(self.componentGroups)',
            message: 'Give either applications or componentGroups.',
          },
        ],
      },
      status: object({
        conditions,
        releasePlans: listOf(object({ name: qualifiedReference, active: boolean })),
        retryInfo,
      }),
      columns: [
        { name: 'Environment', type: 'string', jsonPath: '.spec.environment' },
        { name: 'Origin', type: 'string', jsonPath: '.spec.origin' },
      ],
    },
  ],
})

import {
  boolean,
  conditions,
  defineCrd,
  integer,
  listOf,
  open,
  reference,
  resolver,
  string,
  anything,
} from './define-crd'

const pipeline = open(
  {
    pipelineRef: resolver,
    serviceAccountName: reference,
    params: listOf(open({ name: string, value: anything }, ['name', 'value'])),
    timeouts: open(),
  },
  ['pipelineRef'],
)
const name = { ...reference, maxLength: 63 }

export const releasePlans = defineCrd({
  group: 'appstudio.redhat.com',
  kind: 'ReleasePlan',
  plural: 'releaseplans',
  shortNames: ['rp'],
  versions: [
    {
      name: 'v1alpha1',
      spec: {
        ...open({
          application: name,
          componentGroup: name,
          target: reference,
          data: open(),
          tenantPipeline: pipeline,
          finalPipeline: pipeline,
          releaseGracePeriodDays: { ...integer, default: 7 },
        }),
        'x-kubernetes-validations': [
          {
            rule: 'has(self.application) != has(self.componentGroup)',
            message: 'Give either application or componentGroup.',
          },
        ],
      },
      status: open({ conditions, releasePlanAdmission: open({ name: string, active: boolean }) }),
      columns: [
        { name: 'Application', type: 'string', jsonPath: '.spec.application' },
        { name: 'ComponentGroup', type: 'string', jsonPath: '.spec.componentGroup' },
        { name: 'Target', type: 'string', jsonPath: '.spec.target' },
      ],
    },
  ],
})

import { releasePlanType } from '../releases/release-plan'
import {
  boolean,
  conditions,
  defineCrd,
  integer,
  object,
  open,
  reference,
  string,
  textParams,
  type Schema,
} from './define-crd'
import { collectors, releasePipeline } from './release-pipelines'

const pipeline = object({ ...releasePipeline, params: textParams }, ['pipelineRef'])
/**
 * Where earlier versions of the API had the tenant pipeline. The current definition has none of these fields; they are
 * kept here because clusters still store such plans, which the console converts.
 */
const earlierShapes = {
  pipelineRef: releasePipeline.pipelineRef,
  serviceAccount: string,
  pipeline: object({ ...releasePipeline, params: textParams, serviceAccount: string }),
} as Record<string, Schema>
const name = { ...reference, maxLength: 63 }

export const releasePlans = defineCrd({
  group: releasePlanType.group,
  kind: 'ReleasePlan',
  plural: 'releaseplans',
  shortNames: ['rp'],
  versions: [
    {
      name: 'v1alpha1',
      spec: {
        ...object({
          application: name,
          componentGroup: name,
          target: reference,
          collectors,
          data: open(),
          ...earlierShapes,
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
      status: object({ conditions, releasePlanAdmission: object({ name: string, active: boolean }) }),
      columns: [
        { name: 'Application', type: 'string', jsonPath: '.spec.application' },
        { name: 'ComponentGroup', type: 'string', jsonPath: '.spec.componentGroup' },
        { name: 'Target', type: 'string', jsonPath: '.spec.target' },
      ],
    },
  ],
})

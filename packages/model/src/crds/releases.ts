import { releaseType } from '../releases/release'
import {
  ageColumn,
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
  time,
} from './define-crd'

/** One of the pipeline runs of a release. */
const processing = {
  pipelineRun: qualifiedReference,
  roleBindings: object({
    managedRoleBinding: qualifiedReference,
    secretRoleBinding: qualifiedReference,
    tenantRoleBinding: qualifiedReference,
  }),
  startTime: time,
  completionTime: time,
}
const attempt = object({
  ...processing,
  ...strings('failureReason', 'lastStep', 'lastTask', 'status'),
  mitigation: object(strings('memoryLimit', 'memoryRequest', 'pipelinesTimeout', 'taskTimeout', 'tasksTimeout')),
  successfulTasks: integer,
})

export const releases = defineCrd({
  group: releaseType.group,
  kind: 'Release',
  plural: 'releases',
  shortNames: ['rel'],
  versions: [
    {
      name: 'v1alpha1',
      spec: object({ releasePlan: reference, snapshot: reference, data: open(), gracePeriodDays: integer }, [
        'releasePlan',
        'snapshot',
      ]),
      status: object({
        conditions,
        startTime: time,
        completionTime: time,
        expirationTime: time,
        automated: boolean,
        target: reference,
        attribution: object({ author: string, standingAuthorization: boolean }),
        artifacts: open(),
        collectors: open(),
        validation: object({ failedPostValidation: boolean, time }),
        tenantProcessing: object(processing),
        managedProcessing: object(processing),
        finalProcessing: object(processing),
        collectorsProcessing: object({
          tenantCollectorsProcessing: object(processing),
          managedCollectorsProcessing: object(processing),
        }),
        managedPipelineAttempts: listOf(attempt),
      }),
      columns: [
        { name: 'Snapshot', type: 'string', jsonPath: '.spec.snapshot' },
        { name: 'ReleasePlan', type: 'string', jsonPath: '.spec.releasePlan' },
        { name: 'Release status', type: 'string', jsonPath: '.status.conditions[?(@.type=="Released")].reason' },
        ageColumn,
      ],
    },
  ],
})

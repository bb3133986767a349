import {
  ageColumn,
  boolean,
  conditions,
  defineCrd,
  integer,
  listOf,
  open,
  qualifiedReference,
  reference,
  string,
  time,
} from './define-crd'

/** One of the pipeline runs of a release. */
const processing = open({ pipelineRun: qualifiedReference, startTime: time, completionTime: time })

export const releases = defineCrd({
  group: 'appstudio.redhat.com',
  kind: 'Release',
  plural: 'releases',
  shortNames: ['rel'],
  versions: [
    {
      name: 'v1alpha1',
      spec: open({ releasePlan: reference, snapshot: reference, data: open(), gracePeriodDays: integer }, [
        'releasePlan',
        'snapshot',
      ]),
      status: open({
        conditions,
        startTime: time,
        completionTime: time,
        expirationTime: time,
        automated: boolean,
        target: reference,
        attribution: open({ author: string, standingAuthorization: boolean }),
        artifacts: open(),
        tenantProcessing: processing,
        managedProcessing: processing,
        finalProcessing: processing,
        collectorsProcessing: open({ tenantCollectorsProcessing: processing, managedCollectorsProcessing: processing }),
        managedPipelineAttempts: listOf(processing),
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

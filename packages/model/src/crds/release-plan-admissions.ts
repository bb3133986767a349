import {
  boolean,
  conditions,
  defineCrd,
  listOf,
  open,
  qualifiedReference,
  reference,
  resolver,
  string,
} from './define-crd'

export const releasePlanAdmissions = defineCrd({
  group: 'appstudio.redhat.com',
  kind: 'ReleasePlanAdmission',
  plural: 'releaseplanadmissions',
  shortNames: ['rpa'],
  versions: [
    {
      name: 'v1alpha1',
      spec: {
        ...open(
          {
            applications: { ...listOf(string), minItems: 1 },
            componentGroups: { ...listOf(string), minItems: 1 },
            origin: reference,
            policy: reference,
            environment: reference,
            data: open(),
            pipeline: open({ pipelineRef: resolver, serviceAccountName: reference }, ['pipelineRef']),
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
      status: open({ conditions, releasePlans: listOf(open({ name: qualifiedReference, active: boolean })) }),
      columns: [
        { name: 'Environment', type: 'string', jsonPath: '.spec.environment' },
        { name: 'Origin', type: 'string', jsonPath: '.spec.origin' },
      ],
    },
  ],
})

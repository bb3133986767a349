import {
  ageColumn,
  boolean,
  conditions,
  defineCrd,
  integer,
  lastConditionColumns,
  listOf,
  open,
  string,
} from './define-crd'

/** A name or the empty string. */
const optionalName = { type: 'string', pattern: '^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$' } as const

const git = open({ url: string, revision: string, context: string, devfileUrl: string, dockerfileUrl: string }, ['url'])

/** A branch or tag of the repository that is built separately. */
const version = open(
  { name: string, revision: string, context: string, dockerfileUri: string, 'skip-builds': boolean },
  ['name', 'revision'],
)

export const components = defineCrd({
  group: 'appstudio.redhat.com',
  kind: 'Component',
  plural: 'components',
  shortNames: ['cmp', 'comp'],
  required: ['spec'],
  versions: [
    {
      name: 'v1alpha1',
      spec: open(
        {
          application: optionalName,
          componentName: { ...optionalName, maxLength: 63 },
          source: open({ git, url: string, dockerfileUri: string, versions: listOf(version) }),
          containerImage: string,
          secret: string,
          replicas: integer,
          targetPort: integer,
          route: string,
          env: listOf(open({ name: string, value: string }, ['name'])),
          resources: open(),
          'build-nudges-ref': listOf(string),
        },
        ['source'],
      ),
      status: open({
        conditions,
        lastPromotedImage: string,
        lastBuiltCommit: string,
        'build-nudged-by': listOf(string),
        devfile: string,
      }),
      columns: [
        ageColumn,
        ...lastConditionColumns,
        { name: 'Type', type: 'string', jsonPath: '.status.conditions[-1].type' },
      ],
    },
  ],
})

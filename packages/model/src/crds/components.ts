import { componentType } from '../builds/component'
import {
  ageColumn,
  boolean,
  booleans,
  conditions,
  defineCrd,
  integers,
  lastConditionColumns,
  listOf,
  mapOf,
  object,
  quantity,
  string,
  strings,
  type Schema,
} from './define-crd'

/** A name or the empty string. */
const optionalName = { type: 'string', pattern: '^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$' } as const

const nullable = (schema: Schema): Schema => ({ ...schema, nullable: true })
/** Where the definition of a pipeline is taken from. */
const pipelineSource = nullable(
  object({
    'pipelineref-by-git-resolver': nullable(
      object(strings('pathInRepo', 'revision', 'url'), ['pathInRepo', 'revision', 'url']),
    ),
    'pipelineref-by-name': string,
    'pipelinespec-from-bundle': nullable(object(strings('bundle', 'name'), ['bundle', 'name'])),
  }),
)
const buildPipeline = object({ pull: pipelineSource, 'pull-and-push': pipelineSource, push: pipelineSource })

/** A branch or tag of the repository that is built separately. */
const version = object(
  {
    ...strings('name', 'revision', 'context', 'dockerfileUri'),
    'build-pipeline': buildPipeline,
    'skip-builds': boolean,
  },
  ['name', 'revision'],
)

/** Also of the components of a snapshot. */
export const componentSource = object({
  ...strings('url', 'dockerfileUri'),
  git: object(strings('url', 'revision', 'context', 'devfileUrl', 'dockerfileUrl'), ['url']),
  versions: listOf(version),
})

const keyOf = object({ ...strings('key', 'name'), optional: boolean }, ['key'])
const valueFrom = object({
  configMapKeyRef: keyOf,
  fieldRef: object(strings('apiVersion', 'fieldPath'), ['fieldPath']),
  resourceFieldRef: object({ ...strings('containerName', 'resource'), divisor: quantity }, ['resource']),
  secretKeyRef: keyOf,
})
const repositorySettings = object({
  'comment-strategy': string,
  'github-app-token-scope-repos': listOf(string),
})

export const components = defineCrd({
  group: componentType.group,
  kind: 'Component',
  plural: 'components',
  shortNames: ['cmp', 'comp'],
  required: ['spec'],
  versions: [
    {
      name: 'v1alpha1',
      spec: object(
        {
          actions: object({
            'create-pipeline-configuration-pr': object({
              'all-versions': boolean,
              version: string,
              versions: listOf(string),
            }),
            'trigger-push-build': string,
            'trigger-push-builds': listOf(string),
          }),
          application: optionalName,
          'build-nudges-ref': listOf(string),
          componentName: { ...optionalName, maxLength: 63 },
          'default-build-pipeline': nullable(buildPipeline),
          env: listOf(object({ ...strings('name', 'value'), valueFrom }, ['name'])),
          ...strings('containerImage', 'secret', 'route'),
          ...integers('replicas', 'targetPort'),
          'repository-settings': repositorySettings,
          resources: object({ limits: mapOf(quantity), requests: mapOf(quantity) }),
          ...booleans('skip-offboarding-pr', 'skipGitOpsResourceGeneration'),
          source: componentSource,
        },
        ['source'],
      ),
      status: object({
        conditions,
        'build-nudged-by': listOf(string),
        ...strings('devfile', 'lastBuiltCommit', 'lastPromotedImage', 'message', 'pac-repository', 'webhook'),
        gitops: object({
          ...strings('branch', 'commitID', 'context', 'repositoryURL'),
          resourceGenerationSkipped: boolean,
        }),
        'repository-settings': repositorySettings,
        versions: listOf(
          object({
            ...strings('configuration-merge-url', 'message', 'name', 'onboarding-status', 'onboarding-time'),
            revision: string,
            'skip-builds': boolean,
          }),
        ),
      }),
      columns: [
        ageColumn,
        ...lastConditionColumns,
        { name: 'Type', type: 'string', jsonPath: '.status.conditions[-1].type' },
      ],
    },
  ],
})

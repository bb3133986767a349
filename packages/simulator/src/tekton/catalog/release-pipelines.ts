import type { PipelineSpec, PipelineTask } from '@slipway/model/runs/tekton'
import { pipelineParam, resultsOfTasks, task } from './pipeline-parts'

/** Pipelines that release a snapshot: tenant, managed and final pipelines, and collectors. */

const params: PipelineSpec['params'] = [
  pipelineParam('release', 'The namespaced name (namespace/name) of the Release custom resource', ''),
  pipelineParam('releasePlan', 'The namespaced name of the releasePlan', ''),
  pipelineParam('releasePlanAdmission', 'The namespaced name of the releasePlanAdmission', ''),
  pipelineParam('releaseServiceConfig', 'The namespaced name of the releaseServiceConfig', ''),
  pipelineParam('snapshot', 'The namespaced name of the snapshot', ''),
  pipelineParam('enterpriseContractPolicy', 'JSON representation of the policy to be applied', ''),
  pipelineParam('verify_ec_task_bundle', 'The location of the bundle containing the verify task', ''),
  pipelineParam('policy', 'Name of the policy', 'default'),
]

const release = {
  release: '$(params.release)',
  releasePlan: '$(params.releasePlan)',
  releasePlanAdmission: '$(params.releasePlanAdmission)',
  snapshot: '$(params.snapshot)',
}

const step = (name: string, after: string[], definition = name): PipelineTask =>
  task(name, `${definition}:1.0`, { params: release, ...(after.length > 0 && { runAfter: after }) })

/** The first tasks of every managed pipeline: check access, collect data and verify the images. */
const preparation: PipelineTask[] = [
  step('verify-access-to-resources', []),
  step('collect-data', ['verify-access-to-resources']),
  step('check-data-keys', ['collect-data']),
  step('reduce-snapshot', ['collect-data']),
  step('apply-mapping', ['reduce-snapshot']),
  task('verify-conforma', 'verify-enterprise-contract:latest', {
    params: {
      IMAGES: '$(params.snapshot)',
      POLICY_CONFIGURATION: '$(params.policy)',
      STRICT: 'true',
      PUBLIC_KEY: 'k8s://openshift-pipelines/public-key',
    },
    runAfter: ['apply-mapping'],
    timeout: '4h0m0s',
  }),
]

const managed = (description: string, tasks: PipelineTask[], results?: PipelineSpec['results']): PipelineSpec => ({
  description,
  params,
  tasks: [...preparation, ...tasks],
  finally: [step('cleanup', [])],
  ...(results && { results }),
  workspaces: [{ name: 'release-workspace', optional: true }],
})

const plain = (description: string, tasks: PipelineTask[]): PipelineSpec => ({ description, params, tasks })

export const releasePipelines: Record<string, PipelineSpec> = {
  'push-to-external-registry': managed('Releases a Snapshot to an external registry.', [
    step('push-snapshot', ['verify-conforma', 'check-data-keys']),
    step('sign-image', ['push-snapshot']),
    step('publish-image', ['sign-image']),
    step('update-cr-status', ['publish-image']),
  ]),
  'rh-push-to-registry-redhat-io': managed('Releases a Snapshot to registry.redhat.io, and lists it in the catalog.', [
    step('push-snapshot', ['verify-conforma', 'check-data-keys']),
    step('rh-sign-image', ['push-snapshot'], 'sign-image'),
    step('create-pyxis-image', ['push-snapshot']),
    step('push-rpm-data-to-pyxis', ['create-pyxis-image']),
    step('publish-pyxis-repository', ['rh-sign-image', 'push-rpm-data-to-pyxis'], 'publish-image'),
    step('update-cr-status', ['publish-pyxis-repository']),
  ]),
  'rh-advisories': managed(
    'Releases a Snapshot to a registry with an advisory about it.',
    [
      step('push-snapshot', ['verify-conforma', 'check-data-keys']),
      step('sign-image', ['push-snapshot']),
      step('publish-image', ['sign-image']),
      step('create-advisory', ['sign-image']),
      step('close-advisory-issues', ['create-advisory']),
      step('update-cr-status', ['publish-image', 'create-advisory']),
    ],
    resultsOfTasks({ ADVISORY_URL: 'create-advisory.results.advisory_url' }),
  ),
  'fbc-release': managed(
    'Releases a file-based catalog.',
    [
      step('add-fbc-contribution', ['verify-conforma', 'check-data-keys']),
      step('sign-image', ['add-fbc-contribution']),
      step('publish-image', ['sign-image']),
      step('update-cr-status', ['publish-image']),
    ],
    resultsOfTasks({ INDEX_IMAGE: 'add-fbc-contribution.results.indexImage' }),
  ),
  'release-to-github': managed(
    'Releases the binaries of a Snapshot to a page of its repository.',
    [
      step('create-github-release', ['verify-conforma', 'check-data-keys']),
      step('update-cr-status', ['create-github-release']),
    ],
    resultsOfTasks({ RELEASE_URL: 'create-github-release.results.url' }),
  ),
  'tenant-release': plain('Brings a Snapshot to the environments of its own team.', [
    step('collect-data', []),
    step('push-snapshot', ['collect-data']),
    step('update-deployment', ['push-snapshot']),
  ]),
  'final-release': plain('Runs in the namespace of the team once a release has gone out.', [
    step('collect-data', []),
    step('notify-team', ['collect-data']),
  ]),
  'run-collectors': plain('Runs the collectors of a plan, and adds what they find to the release.', [
    step('collect-data', []),
    step('run-collectors', ['collect-data']),
    step('update-cr-status', ['run-collectors']),
  ]),
}

/** The script of a release pipeline from a team's own repository. */
const script = (name: string) => `echo "Running ${name}"\n./release.sh --images=snapshot.json`

/** A pipeline that is not in the catalog, as in a team's repository. */
export const unknownReleasePipeline = (name: string): PipelineSpec => ({
  description: `Releases a Snapshot with ${name}.`,
  params,
  tasks: [
    {
      name: 'release',
      params: Object.entries(release).map(([key, value]) => ({ name: key, value })),
      taskSpec: {
        description: `Releases a Snapshot with ${name}.`,
        params: Object.keys(release).map((key) => ({ name: key, type: 'string' })),
        steps: [{ name: 'release', image: 'registry.slipway.test/catalog/cli:latest', script: script(name) }],
      },
    },
  ],
  workspaces: [{ name: 'release-workspace', optional: true }],
})

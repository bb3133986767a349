/** Objects of the bench's upstream: pipeline runs like those of a build with about twenty tasks, about 17 kB each. */

const namespace = 'bench'
export const runsPath = `/apis/tekton.dev/v1/namespaces/${namespace}/pipelineruns`
/** An object of 5 KB. */
export const smallPath = `/api/v1/namespaces/${namespace}/configmaps/small`
/** The fields that a table of runs shows. */
export const tableMask =
  'metadata.name,metadata.creationTimestamp,metadata.labels.`appstudio.openshift.io/component`,' +
  'status.conditions,status.startTime,status.completionTime'

const tasks = [
  'init',
  'clone-repository',
  'prefetch-dependencies',
  'build-container',
  'build-image-index',
  'build-source-image',
  'deprecated-base-image-check',
  'clair-scan',
  'ecosystem-cert-preflight-checks',
  'sast-snyk-check',
  'clamav-scan',
  'sast-shell-check',
  'sast-unicode-check',
  'apply-tags',
  'rpms-signature-scan',
  'show-sbom',
]
const hex = (number: number, length: number) =>
  Math.abs(Math.imul(number + 1, 2_654_435_761))
    .toString(16)
    .padStart(8, '0')
    .repeat(Math.ceil(length / 8))
    .slice(0, length)
const timeOf = (number: number, minutes: number) =>
  new Date(Date.UTC(2026, 0, 1) + (number * 7 + minutes) * 60_000).toISOString().replace('.000', '')

const nameOf = (number: number): string => `component-${number % 40}-on-push-${hex(number, 5)}-${number}`

/** A pipeline run of a fixed sequence: the same number gives the same object. */
export function aPipelineRun(number: number) {
  const name = nameOf(number)
  const component = `component-${number % 40}`
  const revision = hex(number, 40)
  const image = `registry.example.com/tenant/${component}:${revision}`
  const digest = `sha256:${hex(number + 7, 64)}`
  const url = `https://git.example.com/team/${component}`
  return {
    apiVersion: 'tekton.dev/v1',
    kind: 'PipelineRun',
    metadata: {
      name,
      generateName: `${component}-on-push-`,
      namespace,
      uid: `${hex(number, 8)}-0000-4000-8000-${String(number).padStart(12, '0')}`,
      resourceVersion: String(100_000 + number),
      generation: 1,
      creationTimestamp: timeOf(number, 0),
      labels: {
        'appstudio.openshift.io/application': `application-${number % 8}`,
        'appstudio.openshift.io/component': component,
        'pipelines.appstudio.openshift.io/type': 'build',
        'pipelinesascode.tekton.dev/event-type': 'push',
        'pipelinesascode.tekton.dev/sha': revision,
        'tekton.dev/pipeline': name,
      },
      annotations: {
        'build.appstudio.redhat.com/commit_sha': revision,
        'build.appstudio.redhat.com/target_branch': 'main',
        'pipelinesascode.tekton.dev/sha-title': `Update "module ${number}" to\tits newest – release`,
        'pipelinesascode.tekton.dev/sha-url': `${url}/commit/${revision}`,
        'pipelinesascode.tekton.dev/log-url': `https://console.example.com/ns/${namespace}/pipelinerun/${name}`,
        'chains.tekton.dev/signed': 'true',
      },
      finalizers: ['chains.tekton.dev/pipelinerun'],
      managedFields: ['pac', 'controller', 'chains'].map((manager, index) => ({
        manager,
        operation: 'Update',
        apiVersion: 'tekton.dev/v1',
        time: timeOf(number, index),
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:metadata': {
            'f:annotations': { '.': {}, 'f:chains.tekton.dev/signed': {}, 'f:pipelinesascode.tekton.dev/sha': {} },
            'f:labels': { '.': {}, 'f:appstudio.openshift.io/component': {}, 'f:tekton.dev/pipeline': {} },
          },
          'f:status': { '.': {}, 'f:childReferences': {}, 'f:conditions': {}, 'f:startTime': {} },
        },
      })),
    },
    spec: {
      params: [
        { name: 'git-url', value: url },
        { name: 'revision', value: revision },
        { name: 'output-image', value: image },
        { name: 'build-platforms', value: ['linux/x86_64', 'linux/arm64'] },
      ],
      taskRunTemplate: { serviceAccountName: `build-pipeline-${component}` },
      timeouts: { pipeline: '2h0m0s' },
      workspaces: [{ name: 'git-auth', secret: { secretName: `pac-gitauth-${hex(number, 4)}` } }],
    },
    status: {
      startTime: timeOf(number, 0),
      completionTime: timeOf(number, 9),
      conditions: [
        {
          type: 'Succeeded',
          status: number % 9 === 0 ? 'False' : 'True',
          reason: number % 9 === 0 ? 'Failed' : 'Completed',
          message: `Tasks Completed: ${tasks.length} (Failed: ${number % 9 === 0 ? 1 : 0}, Cancelled 0), Skipped: 3`,
          lastTransitionTime: timeOf(number, 9),
        },
      ],
      results: [
        { name: 'IMAGE_URL', value: image },
        { name: 'IMAGE_DIGEST', value: digest },
        { name: 'CHAINS-GIT_URL', value: url },
        { name: 'CHAINS-GIT_COMMIT', value: revision },
      ],
      childReferences: tasks.map((task) => ({
        apiVersion: 'tekton.dev/v1',
        kind: 'TaskRun',
        name: `${name}-${task}`,
        pipelineTaskName: task,
        displayName: task,
      })),
      pipelineSpec: {
        params: ['git-url', 'revision', 'output-image', 'dockerfile', 'rebuild', 'skip-checks', 'hermetic'].map(
          (param) => ({ name: param, type: 'string', default: '', description: `Sets ${param} of every task below.` }),
        ),
        tasks: tasks.map((task, index) => ({
          name: task,
          params: [
            { name: 'image-digest', value: '$(tasks.build-image-index.results.IMAGE_DIGEST)' },
            { name: 'image-url', value: '$(tasks.build-image-index.results.IMAGE_URL)' },
            { name: 'CONTEXT', value: '$(params.path-context)' },
          ],
          runAfter: tasks.slice(Math.max(0, index - 1), index),
          taskRef: {
            resolver: 'bundles',
            params: [
              { name: 'name', value: task },
              { name: 'bundle', value: `registry.example.com/catalog/task-${task}:0.2@sha256:${hex(index, 64)}` },
              { name: 'kind', value: 'task' },
            ],
          },
          when: [{ input: '$(params.skip-checks)', operator: 'in', values: ['false'] }],
        })),
      },
      provenance: { featureFlags: { awaitSidecarReadiness: true, coschedule: 'workspaces', maxResultSize: 4096 } },
    },
  }
}

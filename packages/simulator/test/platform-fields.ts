/**
 * What the services of the platform may write in the status of its kinds, as its definitions of August 2026 say: one path
 * for each field, `[]` for the items of a list and `*` for the values of a map. Tests compare the definitions that we
 * install, and what the simulator writes, with this table.
 */
export interface PlatformFields {
  /** What the simulator writes. */
  written: readonly string[]
  /** What the definition has besides, and the simulator never writes. */
  unwritten: readonly string[]
}

const below = (path: string, fields: readonly string[]): string[] => fields.map((field) => `${path}.${field}`)

const conditions = below('status.conditions.[]', ['lastTransitionTime', 'message', 'reason', 'status', 'type'])
const generation = 'status.conditions.[].observedGeneration'

const run = ['pipelineRun', 'startTime', 'completionTime']
const [managed, tenant, secret] = ['managedRoleBinding', 'tenantRoleBinding', 'secretRoleBinding']
const bindings = below('roleBindings', [managed, tenant])
const allBindings = below('roleBindings', [managed, tenant, secret])
const tenantCollectors = 'status.collectorsProcessing.tenantCollectorsProcessing'
const managedCollectors = 'status.collectorsProcessing.managedCollectorsProcessing'
const attempts = 'status.managedPipelineAttempts.[]'
const retries = 'status.retryInfo'
const memory = below(`${retries}.mitigations.oomKill`, [
  'multiplier',
  'maxComputeResources.limits.*',
  'maxComputeResources.requests.*',
])
const timeouts = below(`${retries}.mitigations.timeout`, [
  ...below('pipeline', ['increment', 'maxTimeout']),
  ...below('task', ['increment', 'maxTimeout']),
])

export const platformFields: Record<string, PlatformFields> = {
  Component: {
    written: ['status.lastBuiltCommit', 'status.lastPromotedImage', 'status.build-nudged-by.[]', ...conditions],
    unwritten: [
      generation,
      ...below('status', ['devfile', 'message', 'pac-repository', 'webhook']),
      ...below('status.gitops', ['branch', 'commitID', 'context', 'repositoryURL', 'resourceGenerationSkipped']),
      ...below('status.repository-settings', ['comment-strategy', 'github-app-token-scope-repos.[]']),
      ...below('status.versions.[]', [
        ...['configuration-merge-url', 'message', 'name', 'onboarding-status', 'onboarding-time', 'revision'],
        'skip-builds',
      ]),
    ],
  },
  ComponentGroup: {
    written: below('status.globalCandidateList.[]', [
      ...['name', 'version', 'url', 'lastPromotedBuildTime', 'lastPromotedCommit', 'lastPromotedImage'],
    ]),
    unwritten: [...conditions, generation],
  },
  ImageRepository: {
    written: [
      'status.state',
      ...below('status.image', ['url', 'visibility']),
      ...below('status.credentials', [
        ...['generationTimestamp', 'pull-robot-account', 'pull-secret', 'push-robot-account', 'push-secret'],
      ]),
    ],
    unwritten: ['status.message', ...below('status.notifications.[]', ['title', 'uuid'])],
  },
  IntegrationTestScenario: { written: conditions, unwritten: [generation] },
  NudgeConfig: { written: [], unwritten: [...conditions, generation, 'status.lastValidationTime'] },
  Snapshot: {
    written: [...conditions, ...below('status.parentSnapshots.*', ['created', 'err', 'name'])],
    unwritten: [generation],
  },
  ReleasePlan: {
    written: [...conditions, ...below('status.releasePlanAdmission', ['active', 'name'])],
    unwritten: [generation],
  },
  ReleasePlanAdmission: {
    written: [
      ...conditions,
      ...below('status.releasePlans.[]', ['active', 'name']),
      ...below(retries, ['enabled', 'maxRetries', 'reason']),
      ...memory,
      ...timeouts,
    ],
    unwritten: [
      generation,
      ...below(`${retries}.mitigations.oomKill.maxComputeResources.claims.[]`, ['name', 'request']),
    ],
  },
  Release: {
    written: [
      ...conditions,
      ...below('status', ['artifacts', 'collectors', 'automated', 'target', 'startTime', 'completionTime']),
      ...below('status', ['expirationTime', 'validation.time']),
      ...below('status.attribution', ['author', 'standingAuthorization']),
      ...below(tenantCollectors, run),
      ...below(managedCollectors, [...run, ...bindings]),
      ...below('status.tenantProcessing', run),
      ...below('status.managedProcessing', [...run, ...bindings]),
      ...below('status.finalProcessing', run),
      ...below(attempts, [
        ...[...run, ...bindings, 'status', 'failureReason', 'lastTask', 'lastStep', 'successfulTasks'],
        ...below('mitigation', ['memoryLimit', 'memoryRequest']),
      ]),
    ],
    unwritten: [
      generation,
      'status.validation.failedPostValidation',
      ...below(tenantCollectors, allBindings),
      ...below('status.tenantProcessing', allBindings),
      ...below('status.finalProcessing', allBindings),
      ...[managedCollectors, 'status.managedProcessing', attempts].map((path) => `${path}.roleBindings.${secret}`),
      // Only after a run that took too long.
      ...below(`${attempts}.mitigation`, ['pipelinesTimeout', 'taskTimeout', 'tasksTimeout']),
    ],
  },
}

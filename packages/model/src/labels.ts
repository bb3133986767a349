/**
 * Label and annotation keys of the platform's services. Some facts are a label on one kind and an annotation on
 * another; each key is listed in the form in which it is written.
 */
export const labels = {
  application: 'appstudio.openshift.io/application',
  component: 'appstudio.openshift.io/component',
  /** On a build, also an annotation with the same key: the version of the component that was built. */
  version: 'appstudio.openshift.io/version',
  /** On a run, also an annotation with the same key. */
  snapshot: 'appstudio.openshift.io/snapshot',
  /** On a Snapshot: the build that produced it. */
  buildPipelineRun: 'appstudio.openshift.io/build-pipelinerun',
  /** On a ConfigMap: `"true"`. */
  systemNotification: 'appstudio.openshift.io/system-notification',
  /** On a PipelineRun: `build`, `test`, `tenant`, `managed`, `final`, `release`, `tenant-collectors`, … */
  pipelineType: 'pipelines.appstudio.openshift.io/type',
  /** Set by Tekton on TaskRuns and pods. */
  pipeline: 'tekton.dev/pipeline',
  pipelineRun: 'tekton.dev/pipelineRun',
  pipelineRunUid: 'tekton.dev/pipelineRunUID',
  pipelineTask: 'tekton.dev/pipelineTask',
  task: 'tekton.dev/task',
  taskRun: 'tekton.dev/taskRun',
  taskRunUid: 'tekton.dev/taskRunUID',
  memberOf: 'tekton.dev/memberOf',
  /** On runs: `enterprise-contract` for a run with a security report. */
  buildPipeline: 'build.appstudio.redhat.com/pipeline',
  /** On a TaskRun of a matrix: `linux/arm64`, with a dash instead of the slash. */
  targetPlatform: 'build.appstudio.redhat.com/target-platform',
  /** Name of the integration test that a run belongs to. */
  scenario: 'test.appstudio.openshift.io/scenario',
  /** On an IntegrationTestScenario: `"true"` or `"false"`. */
  optional: 'test.appstudio.openshift.io/optional',
  /** On a Snapshot: name of the scenario to rerun, or `all`. */
  rerun: 'test.appstudio.openshift.io/run',
  /** On objects created for a pull request, including runs: a hash of `annotations.pullRequestGroup` valid as a label. */
  pullRequestGroupSha: 'test.appstudio.openshift.io/pr-group-sha',
  /** On a Snapshot: `component`, `group`, `override`. */
  snapshotType: 'test.appstudio.openshift.io/type',
  commitSha: 'pipelinesascode.tekton.dev/sha',
  /** `push`, `Push` (GitLab), `pull_request`, `incoming`, `retest-all-comment`. */
  eventType: 'pipelinesascode.tekton.dev/event-type',
  pullRequestNumber: 'pipelinesascode.tekton.dev/pull-request',
  organization: 'pipelinesascode.tekton.dev/url-org',
  repositoryName: 'pipelinesascode.tekton.dev/url-repository',
  /** Name of the Repository object. */
  repository: 'pipelinesascode.tekton.dev/repository',
  originalPipelineRunName: 'pipelinesascode.tekton.dev/original-prname',
  /** `started`, `queued`, `completed`. */
  runState: 'pipelinesascode.tekton.dev/state',
  /** On a PipelineRun: the local queue of Kueue that has to admit it. */
  queueName: 'kueue.x-k8s.io/queue-name',
  /** On a Namespace: `tenant`. */
  namespaceType: 'konflux-ci.dev/type',
  /** On a Release: `"true"` if a release plan created it automatically. */
  automated: 'release.appstudio.openshift.io/automated',
  /** On a Release: the user who requested it, in a form valid as a label. */
  author: 'release.appstudio.openshift.io/author',
  /** On a ReleasePlan: `"true"` or `"false"`. */
  autoRelease: 'release.appstudio.openshift.io/auto-release',
  standingAttribution: 'release.appstudio.openshift.io/standing-attribution',
  /** On a ReleasePlan: its preferred admission. */
  releasePlanAdmission: 'release.appstudio.openshift.io/releasePlanAdmission',
  /** On a ReleasePlanAdmission: `"true"` or `"false"`. */
  blockReleases: 'release.appstudio.openshift.io/block-releases',
  /** On the runs of a release. */
  releaseName: 'release.appstudio.openshift.io/name',
  releaseNamespace: 'release.appstudio.openshift.io/namespace',
  releaseSnapshot: 'release.appstudio.openshift.io/snapshot',
  /** Number of the attempt, starting at 1. */
  releaseAttempt: 'release.appstudio.openshift.io/attempt',
  /** On a run of MintMaker: the component whose dependencies it updates, and its namespace. */
  updatedComponent: 'mintmaker.appstudio.redhat.com/component',
  updatedNamespace: 'mintmaker.appstudio.redhat.com/namespace',
  /** On a Snapshot: end of its build, in seconds since 1970. */
  buildFinishTime: 'test.appstudio.openshift.io/pipelinerunfinishtime',
  /** On an ImageRepository; other services use the keys above. */
  imageApplication: 'appstudio.redhat.com/application',
  imageComponent: 'appstudio.redhat.com/component',
  /** On a Secret: `"true"` for all present and future components. */
  commonSecret: 'build.appstudio.openshift.io/common-secret',
  /** On a Secret: `scm`. */
  credentials: 'appstudio.redhat.com/credentials',
  scmHost: 'appstudio.redhat.com/scm.host',
  /** On a Secret: `Deployment` if builds do not use it. */
  secretFor: 'ui.appstudio.redhat.com/secret-for',
  /** On a Secret: `"true"` if a controller of the platform created it for itself. */
  internal: 'appstudio.redhat.com/internal',
} as const

export const annotations = {
  /** On a Component: `"true"` if it was created from a sample. */
  sample: 'appstudio.openshift.io/sample',
  /** On a build: directory of the version that was built. */
  context: 'appstudio.openshift.io/context',
  /** The branch built. */
  branch: 'build.appstudio.redhat.com/target_branch',
  buildCommitSha: 'build.appstudio.redhat.com/commit_sha',
  buildPullRequestNumber: 'build.appstudio.redhat.com/pull_request_number',
  /** The image built by a run. */
  image: 'build.appstudio.openshift.io/image',
  /** URL of the repository with the commit built, as `?rev={sha}`. */
  repository: 'build.appstudio.openshift.io/repo',
  /** On a Component, removed once done: `trigger-pac-build`, `configure-pac`, `unconfigure-pac`, … */
  buildRequest: 'build.appstudio.openshift.io/request',
  /** On a Component, JSON: `{ pac: { state, merge-url, configuration-time, error-id, error-message }, message }`. */
  buildStatus: 'build.appstudio.openshift.io/status',
  /** On a Component, JSON: `{ name, bundle }`. */
  buildPipeline: 'build.appstudio.openshift.io/pipeline',
  /** The last configuration applied by `kubectl apply`, as JSON. */
  lastApplied: 'kubectl.kubernetes.io/last-applied-configuration',
  gitProvider: 'git-provider',
  gitProviderUrl: 'git-provider-url',
  /** On runs of one event, `namespace/name` of each of them: the order in which a queue starts them. */
  executionOrder: 'pipelinesascode.tekton.dev/execution-order',
  pacBranch: 'pipelinesascode.tekton.dev/branch',
  pacGitProvider: 'pipelinesascode.tekton.dev/git-provider',
  pacLogUrl: 'pipelinesascode.tekton.dev/log-url',
  pacRepositoryUrl: 'pipelinesascode.tekton.dev/repo-url',
  pacSender: 'pipelinesascode.tekton.dev/sender',
  pacShaTitle: 'pipelinesascode.tekton.dev/sha-title',
  pacShaUrl: 'pipelinesascode.tekton.dev/sha-url',
  pacSourceBranch: 'pipelinesascode.tekton.dev/source-branch',
  pacSourceRepositoryUrl: 'pipelinesascode.tekton.dev/source-repo-url',
  /** On a Snapshot, JSON: a list of `ScenarioStatus`. */
  testStatus: 'test.appstudio.openshift.io/status',
  /** On an IntegrationTestScenario and its runs: `enterprise-contract`. */
  testKind: 'test.appstudio.openshift.io/kind',
  /** On a build, JSON: `{ status: 'success' | 'failed', message }`. */
  createSnapshotStatus: 'test.appstudio.openshift.io/create-snapshot-status',
  /** On a Snapshot: `push` or `pull-request`. */
  integrationWorkflow: 'test.appstudio.openshift.io/integration-workflow',
  /** On a Snapshot: start of its build, in milliseconds since 1970. */
  buildStartTime: 'test.appstudio.openshift.io/pipelinerunstarttime',
  /** On objects created for a pull request: pull requests of one application with the same value belong together. */
  pullRequestGroup: 'test.appstudio.openshift.io/pr-group',
  /** On a group Snapshot, JSON: a list of `GroupMember`. */
  groupMembers: 'test.appstudio.openshift.io/group-test-info',
  /** On a Snapshot of a pull request: outcome of creating its group Snapshot. */
  createGroupSnapshotStatus: 'test.appstudio.openshift.io/create-groupsnapshot-status',
  testSourceRepositoryUrl: 'test.appstudio.openshift.io/source-repo-url',
  /** On runs, snapshots and releases, JSON: `{ traceparent }`, the trace that they are part of. */
  spanContext: 'tekton.dev/pipelinerunSpanContext',
  /** On a run: `"true"` once it is completely archived. */
  stored: 'results.tekton.dev/stored',
  /** On a Component: start of the build of its current image, in seconds since 1970. */
  lastBuiltTime: 'test.appstudio.openshift.io/lastbuilttime',
  /** On a build, JSON: whether its image will be part of the application's next snapshot. */
  addedToGlobalCandidateList: 'test.appstudio.openshift.io/added-to-global-candidate-list',
  /** On a build: the pull requests to the components that it nudges have been created. */
  nudgeProcessed: 'build.appstudio.openshift.io/component-nudge-processed',
  /** On an ImageRepository, removed once done: its URL becomes the image of its component. */
  updateComponentImage: 'image-controller.appstudio.redhat.com/update-component-image',
  /** On a Secret that is being linked to service accounts: `Pending`, `Running`, `Succeeded`, `Failed`. */
  linkStatus: 'konflux-ui/linking-secret-action-status',
  linkError: 'konflux-ui/linking-secret-action-error',
  /** On a Secret, JSON: an `UnfinishedLinks`; removed once every component is linked. */
  unfinishedLinks: 'slipway.dev/unfinished-links',
  /** On a Secret: organisation and repository. */
  scmRepository: 'appstudio.redhat.com/scm.repository',
  /** On a Secret: when the first of its tokens expires (RFC 3339). */
  credentialExpires: 'slipway.dev/credential-expires',
} as const

/** Labels of Pipelines as Code are copied from a build to its snapshot and on to later objects, under another prefix. */
export const copiedPacKey = (key: string): string =>
  key.replace(/^pipelinesascode\.tekton\.dev\//, 'pac.test.appstudio.openshift.io/')

/**
 * Keys by which the services of the platform mark objects. Some facts are a label on one kind and an annotation on
 * another; each is listed where it is written.
 */
export const labels = {
  application: 'appstudio.openshift.io/application',
  component: 'appstudio.openshift.io/component',
  /** On a run also an annotation of the same key. */
  snapshot: 'appstudio.openshift.io/snapshot',
  /** On a Snapshot: the build that it came from. */
  buildPipelineRun: 'appstudio.openshift.io/build-pipelinerun',
  /** On a ConfigMap: `"true"`. */
  systemNotification: 'appstudio.openshift.io/system-notification',
  /** On a PipelineRun: `build`, `test`, `tenant`, `managed`, `final`, `release`, `tenant-collectors`, … */
  pipelineType: 'pipelines.appstudio.openshift.io/type',
  /** Of Tekton, on TaskRuns and pods. */
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
  /** On a TaskRun of a matrix: `linux/arm64`, with a dash for the slash. */
  targetPlatform: 'build.appstudio.redhat.com/target-platform',
  /** Name of the integration test that a run belongs to. */
  scenario: 'test.appstudio.openshift.io/scenario',
  /** On an IntegrationTestScenario: `"true"` or `"false"`. */
  optional: 'test.appstudio.openshift.io/optional',
  /** On a Snapshot: name of the scenario that is to run again, or `all`. */
  rerun: 'test.appstudio.openshift.io/run',
  /** On what came of a pull request, its runs included: `annotations.pullRequestGroup` in a form that a label may hold. */
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
  /** On a Namespace: `tenant`. */
  namespaceType: 'konflux-ci.dev/type',
  /** On a Release: `"true"` when a release plan made it by itself. */
  automated: 'release.appstudio.openshift.io/automated',
  /** On a Release: who asked for it, in a form that a label may hold. */
  author: 'release.appstudio.openshift.io/author',
  /** On a ReleasePlan: `"true"` or `"false"`. */
  autoRelease: 'release.appstudio.openshift.io/auto-release',
  standingAttribution: 'release.appstudio.openshift.io/standing-attribution',
  /** On a ReleasePlan: the admission that it prefers. */
  releasePlanAdmission: 'release.appstudio.openshift.io/releasePlanAdmission',
  /** On a ReleasePlanAdmission: `"true"` or `"false"`. */
  blockReleases: 'release.appstudio.openshift.io/block-releases',
  /** On the runs of a release. */
  releaseName: 'release.appstudio.openshift.io/name',
  releaseNamespace: 'release.appstudio.openshift.io/namespace',
  releaseSnapshot: 'release.appstudio.openshift.io/snapshot',
  /** The how-manieth try it is, from 1 on. */
  releaseAttempt: 'release.appstudio.openshift.io/attempt',
  /** On a Snapshot: seconds since 1970 of the end of its build. */
  buildFinishTime: 'test.appstudio.openshift.io/pipelinerunfinishtime',
  /** On an ImageRepository; other services write the keys above. */
  imageApplication: 'appstudio.redhat.com/application',
  imageComponent: 'appstudio.redhat.com/component',
  /** On a Secret: `"true"` for all present and future components. */
  commonSecret: 'build.appstudio.openshift.io/common-secret',
  /** On a Secret: `scm`. */
  credentials: 'appstudio.redhat.com/credentials',
  scmHost: 'appstudio.redhat.com/scm.host',
} as const

export const annotations = {
  /** On a Component: `"true"` for one that was made of a sample. */
  sample: 'appstudio.openshift.io/sample',
  /** Branch that was built. */
  branch: 'build.appstudio.redhat.com/target_branch',
  buildCommitSha: 'build.appstudio.redhat.com/commit_sha',
  buildPullRequestNumber: 'build.appstudio.redhat.com/pull_request_number',
  /** Image that a run built. */
  image: 'build.appstudio.openshift.io/image',
  /** Address of the repository at the commit that was built, as `?rev={sha}`. */
  repository: 'build.appstudio.openshift.io/repo',
  /** On a Component, removed once done: `trigger-pac-build`, `configure-pac`, `unconfigure-pac`, … */
  buildRequest: 'build.appstudio.openshift.io/request',
  /** On a Component, JSON: `{ pac: { state, merge-url, configuration-time, error-id, error-message }, message }`. */
  buildStatus: 'build.appstudio.openshift.io/status',
  /** On a Component, JSON: `{ name, bundle }`. */
  buildPipeline: 'build.appstudio.openshift.io/pipeline',
  /** What `kubectl apply` was last given, as JSON. */
  lastApplied: 'kubectl.kubernetes.io/last-applied-configuration',
  gitProvider: 'git-provider',
  gitProviderUrl: 'git-provider-url',
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
  /** On a Snapshot: milliseconds since 1970 of the start of its build. */
  buildStartTime: 'test.appstudio.openshift.io/pipelinerunstarttime',
  /** On what came of a pull request: the pull requests of one application that have it in common belong together. */
  pullRequestGroup: 'test.appstudio.openshift.io/pr-group',
  /** On a Snapshot of a group, JSON: a list of `GroupMember`. */
  groupMembers: 'test.appstudio.openshift.io/group-test-info',
  /** On a Snapshot of a pull request: what has become of that of its group. */
  createGroupSnapshotStatus: 'test.appstudio.openshift.io/create-groupsnapshot-status',
  testSourceRepositoryUrl: 'test.appstudio.openshift.io/source-repo-url',
  /** On a run: `"true"` once the archive has all of it. */
  stored: 'results.tekton.dev/stored',
  /** On a Component: seconds since 1970 of the start of the build whose image it has. */
  lastBuiltTime: 'test.appstudio.openshift.io/lastbuilttime',
  /** On a build, JSON: whether its image is one of the next snapshot of the application. */
  addedToGlobalCandidateList: 'test.appstudio.openshift.io/added-to-global-candidate-list',
  /** On a build: the pull requests to the components that it nudges were made. */
  nudgeProcessed: 'build.appstudio.openshift.io/component-nudge-processed',
  /** On an ImageRepository, removed once done: its address becomes the image of its component. */
  updateComponentImage: 'image-controller.appstudio.redhat.com/update-component-image',
  /** On a Secret that is being linked to service accounts: `Pending`, `Running`, `Succeeded`, `Failed`. */
  linkStatus: 'konflux-ui/linking-secret-action-status',
  linkError: 'konflux-ui/linking-secret-action-error',
  /** On a Secret: organisation and repository. */
  scmRepository: 'appstudio.redhat.com/scm.repository',
} as const

/** Facts of Pipelines as Code are copied from a build to its snapshot and from there on, under another prefix. */
export const copiedPacKey = (key: string): string =>
  key.replace(/^pipelinesascode\.tekton\.dev\//, 'pac.test.appstudio.openshift.io/')

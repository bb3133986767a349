/**
 * Keys by which the services of the platform mark objects. Some facts are a label on one kind and an annotation on
 * another; each is listed where it is written.
 */
export const labels = {
  application: 'appstudio.openshift.io/application',
  component: 'appstudio.openshift.io/component',
  snapshot: 'appstudio.openshift.io/snapshot',
  /** On a PipelineRun: `build`, `test`, `tenant`, `managed`, `final`, `release`. */
  pipelineType: 'pipelines.appstudio.openshift.io/type',
  /** Name of the integration test that a run belongs to. */
  scenario: 'test.appstudio.openshift.io/scenario',
  commitSha: 'pipelinesascode.tekton.dev/sha',
  /** `push`, `Push` (GitLab), `pull_request`, `incoming`, `retest-all-comment`. */
  eventType: 'pipelinesascode.tekton.dev/event-type',
  pullRequestNumber: 'pipelinesascode.tekton.dev/pull-request',
  /** On a Namespace: `tenant`. */
  namespaceType: 'konflux-ci.dev/type',
  /** On a Release: `"true"` when a release plan made it by itself. */
  automated: 'release.appstudio.openshift.io/automated',
  /** On a Release: who asked for it, in a form that a label may hold. */
  author: 'release.appstudio.openshift.io/author',
} as const

export const annotations = {
  /** Branch that was built. */
  branch: 'build.appstudio.redhat.com/target_branch',
  /** Image that a run built. */
  image: 'build.appstudio.openshift.io/image',
  /** Address of the repository at the commit that was built. */
  repository: 'build.appstudio.openshift.io/repo',
} as const

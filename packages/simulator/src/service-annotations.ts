/** Annotations that only services of the platform read. Those that the console reads too are in the model. */
export const serviceAnnotations = {
  /** On a Snapshot: start of its build, in milliseconds since 1970. */
  buildStartTime: 'test.appstudio.openshift.io/pipelinerunstarttime',
  /** On a build, JSON: whether its image will be part of the application's next snapshot. */
  addedToGlobalCandidateList: 'test.appstudio.openshift.io/added-to-global-candidate-list',
  /** On a build: the pull requests to the components that it nudges have been created. */
  nudgeProcessed: 'build.appstudio.openshift.io/component-nudge-processed',
} as const

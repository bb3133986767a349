/** Every URL of the console. Names are encoded, so that a hostile one cannot leave its segment. */

export interface NamespaceParams {
  namespace: string
}

export interface ApplicationParams extends NamespaceParams {
  application: string
}
export interface ComponentGroupParams extends NamespaceParams {
  componentGroup: string
}
export interface ComponentParams extends ApplicationParams {
  component: string
}
export interface CommitParams extends ApplicationParams {
  commit: string
}
export interface PipelineRunParams extends ApplicationParams {
  pipelineRun: string
}
export interface TaskRunParams extends ApplicationParams {
  taskRun: string
}
export interface IntegrationTestParams extends ApplicationParams {
  integrationTest: string
}
export interface SnapshotParams extends ApplicationParams {
  snapshot: string
}
export interface ReleaseParams extends ApplicationParams {
  release: string
}
export interface ReleasePlanParams extends NamespaceParams {
  releasePlan: string
}
/** `latest-commits` or `pipelineruns`. */
export interface ActivityParams {
  activityTab: string
}

export const paths = {
  overview: () => '/',
  /** What the product is, which the overview says only to users without a namespace. */
  about: () => '/about',
  /** Where a sign-in ends that another tab opened in a window. */
  signedIn: () => '/signed-in',
  /** Finds what was pasted in all namespaces. */
  search: () => '/search',
  namespaces: () => '/ns',
  /** Redirects to the applications of the namespace. */
  namespace: (p: NamespaceParams) => path`/ns/${p.namespace}`,
  applications: (p: NamespaceParams) => path`/ns/${p.namespace}/applications`,
  createApplication: (p: NamespaceParams) => path`/ns/${p.namespace}/import`,
  /** Imports a component into an existing application. */
  createComponent: (p: ApplicationParams) =>
    `${paths.createApplication(p)}?${new URLSearchParams({ application: p.application })}`,
  /**
   * The pipeline runs of all applications. Not `pipelineruns`, which redirects to the applications without the name of a
   * run (docs/adr/0043).
   */
  pipelineRuns: (p: NamespaceParams) => path`/ns/${p.namespace}/runs`,
  /** The same failures in several runs of all applications. */
  failurePatterns: (p: NamespaceParams) => `${paths.pipelineRuns(p)}/failures`,
  /** The components of all applications. */
  allComponents: (p: NamespaceParams) => path`/ns/${p.namespace}/components`,
  componentGroups: (p: NamespaceParams) => path`/ns/${p.namespace}/component-groups`,
  createComponentGroup: (p: NamespaceParams) => `${paths.componentGroups(p)}/create`,
  editComponentGroup: (p: ComponentGroupParams) => paths.componentGroups(p) + path`/edit/${p.componentGroup}`,
  componentGroup: (p: ComponentGroupParams) => paths.componentGroups(p) + path`/group/${p.componentGroup}`,
  /** The order of its integration tests. */
  componentGroupTests: (p: ComponentGroupParams) => `${paths.componentGroup(p)}/tests`,
  secrets: (p: NamespaceParams) => path`/ns/${p.namespace}/secrets`,
  createSecret: (p: NamespaceParams) => `${paths.secrets(p)}/create`,
  editSecret: (p: NamespaceParams & { secret: string }) => paths.secrets(p) + path`/edit/${p.secret}`,
  /** Release plans, with the admissions of other namespaces' plans in a second tab. */
  releaseArea: (p: NamespaceParams) => path`/ns/${p.namespace}/release`,
  releasePlans: (p: NamespaceParams) => `${paths.releaseArea(p)}/release-plan`,
  createReleasePlan: (p: NamespaceParams) => `${paths.releasePlans(p)}/create`,
  editReleasePlan: (p: ReleasePlanParams) => paths.releasePlans(p) + path`/edit/${p.releasePlan}`,
  /** What a plan has released, and what it has not yet. */
  releasePlan: (p: ReleasePlanParams) => paths.releasePlans(p) + path`/plan/${p.releasePlan}`,
  releasePlanReleases: (p: ReleasePlanParams) => `${paths.releasePlan(p)}/releases`,
  /** Two snapshots that it has released or could release. */
  releasePlanComparison: (p: ReleasePlanParams) => `${paths.releasePlan(p)}/compare`,
  triggerRelease: (p: NamespaceParams) => `${paths.releasePlans(p)}/trigger`,
  /** The form that triggers a release, with its first fields filled in. */
  triggerReleaseOf: ({ namespace, ...values }: NamespaceParams & { releasePlan?: string; snapshot?: string }) =>
    `${paths.triggerRelease({ namespace })}?${new URLSearchParams(values)}`,
  releasePlanAdmissions: (p: NamespaceParams) => `${paths.releaseArea(p)}/release-plan-admission`,
  /** The releases of all namespaces. */
  releaseMonitor: () => '/releasemonitor',
  access: (p: NamespaceParams) => path`/ns/${p.namespace}/access`,
  grantAccess: (p: NamespaceParams) => path`/ns/${p.namespace}/access/grant`,
  editAccess: (p: NamespaceParams & { binding: string }) => path`/ns/${p.namespace}/access/edit/${p.binding}`,
  application: (p: ApplicationParams) => path`/ns/${p.namespace}/applications/${p.application}`,
  activity: (p: ApplicationParams) => `${paths.application(p)}/activity`,
  activityTab: (p: ApplicationParams & ActivityParams) => paths.activity(p) + path`/${p.activityTab}`,
  components: (p: ApplicationParams) => `${paths.application(p)}/components`,
  component: (p: ComponentParams) => paths.components(p) + path`/${p.component}`,
  componentActivity: (p: ComponentParams) => `${paths.component(p)}/activity`,
  componentActivityTab: (p: ComponentParams & ActivityParams) => paths.componentActivity(p) + path`/${p.activityTab}`,
  /** The runs that look for newer versions of what a component depends on. */
  dependencyUpdates: (p: ComponentParams) => `${paths.component(p)}/dep-updates`,
  linkedSecrets: (p: ComponentParams) => `${paths.component(p)}/linked-secrets`,
  integrationTests: (p: ApplicationParams) => `${paths.application(p)}/integrationtests`,
  addIntegrationTest: (p: ApplicationParams) => `${paths.integrationTests(p)}/add`,
  /** A test may have the name that is the address of the form. */
  integrationTest: (p: IntegrationTestParams) =>
    p.integrationTest === 'add' ? paths.integrationTestOverview(p) : partOfTest(p),
  /** The page of a test, at an address that no name of a test can take. */
  integrationTestOverview: (p: IntegrationTestParams) => partOfTest(p, '/overview'),
  integrationTestPipelineRuns: (p: IntegrationTestParams) => partOfTest(p, '/pipelineruns'),
  editIntegrationTest: (p: IntegrationTestParams) => partOfTest(p, '/edit'),
  snapshots: (p: ApplicationParams) => `${paths.application(p)}/snapshots`,
  snapshot: (p: SnapshotParams) => paths.snapshots(p) + path`/${p.snapshot}`,
  snapshotPipelineRuns: (p: SnapshotParams) => `${paths.snapshot(p)}/pipelineruns`,
  /** What changed since another snapshot. */
  snapshotChanges: (p: SnapshotParams) => `${paths.snapshot(p)}/changes`,
  releases: (p: ApplicationParams) => `${paths.application(p)}/releases`,
  release: (p: ReleaseParams) => paths.releases(p) + path`/${p.release}`,
  releasePipelineRuns: (p: ReleaseParams) => `${paths.release(p)}/pipelineruns`,
  releaseArtifacts: (p: ReleaseParams) => `${paths.release(p)}/artifacts`,
  /** What the policy says of the components of all applications. */
  policy: (p: NamespaceParams) => path`/ns/${p.namespace}/policy`,
  /** When rules and exceptions of the policy begin and end. */
  policyDates: (p: NamespaceParams) => `${paths.policy(p)}/dates`,
  /** The same for one application. */
  applicationPolicy: (p: ApplicationParams) => `${paths.application(p)}/policy`,
  applicationPolicyDates: (p: ApplicationParams) => `${paths.applicationPolicy(p)}/dates`,
  /** The vulnerabilities of all namespaces, or the components that have one of them. */
  allVulnerabilities: () => '/vulnerabilities',
  /** The vulnerabilities of the components of all applications. */
  vulnerabilities: (p: NamespaceParams) => path`/ns/${p.namespace}/vulnerabilities`,
  applicationVulnerabilities: (p: ApplicationParams) => `${paths.application(p)}/vulnerabilities`,
  componentVulnerabilities: (p: ComponentParams) => `${paths.component(p)}/vulnerabilities`,
  snapshotVulnerabilities: (p: SnapshotParams) => `${paths.snapshot(p)}/vulnerabilities`,
  pipelineRunVulnerabilities: (p: PipelineRunParams) => `${paths.pipelineRun(p)}/vulnerabilities`,
  /** How long changes took from build to release. */
  deliveries: (p: ApplicationParams) => `${paths.application(p)}/deliveries`,
  commit: (p: CommitParams) => paths.application(p) + path`/commit/${p.commit}`,
  commitPipelineRuns: (p: CommitParams) => `${paths.commit(p)}/pipelineruns`,
  pipelineRun: (p: PipelineRunParams) => paths.application(p) + path`/pipelineruns/${p.pipelineRun}`,
  pipelineRunTaskRuns: (p: PipelineRunParams) => `${paths.pipelineRun(p)}/taskruns`,
  pipelineRunLogs: (p: PipelineRunParams) => `${paths.pipelineRun(p)}/logs`,
  pipelineRunSecurity: (p: PipelineRunParams) => `${paths.pipelineRun(p)}/security`,
  /** What changed since another run. */
  pipelineRunChanges: (p: PipelineRunParams) => `${paths.pipelineRun(p)}/compare`,
  taskRun: (p: TaskRunParams) => paths.application(p) + path`/taskruns/${p.taskRun}`,
  taskRunDetails: (p: TaskRunParams) => `${paths.taskRun(p)}/details`,
  taskRunLogs: (p: TaskRunParams) => `${paths.taskRun(p)}/logs`,
  taskRunSecurity: (p: TaskRunParams) => `${paths.taskRun(p)}/security`,
  /** For links from other services, which know a run but not its application. A name, `logs` and a task may follow. */
  anyPipelineRun: (p: NamespaceParams) => path`/ns/${p.namespace}/pipelineruns`,
  /** For links to a run of unknown application, in the form that services of the platform use. */
  anyPipelineRunSingular: (p: NamespaceParams) => path`/ns/${p.namespace}/pipelinerun`,
}

const partOfTest = (p: IntegrationTestParams, part = ''): string =>
  paths.integrationTests(p) + path`/${p.integrationTest}` + part

/** The parameter of the filter by name, of a list that is not the second of its page. */
export const nameParameter = 'name'

/** A list that shows only what has a name like this, for objects that have no page of their own. @param list its path */
export const filteredByName = (list: string, name: string): string =>
  `${list}?${new URLSearchParams({ [nameParameter]: name })}`

/** The page that shows what a text finds in all namespaces. */
export const searchFor = (text: string): string => `${paths.search()}?${new URLSearchParams({ q: text })}`

/** The namespace in a path, even if the path has no page; `undefined` for paths outside namespaces. */
export function namespaceInPath(pathname: string): string | undefined {
  const [, encoded] = /^\/ns\/([^/]+)/.exec(pathname) ?? []
  try {
    return encoded && decodeURIComponent(encoded)
  } catch {
    return undefined // A stray percent sign: not a URL of the console.
  }
}

/**
 * Where selecting another namespace leads: to the first section of the same path, and not below it, since the other
 * namespace does not have the same objects. Paths outside namespaces stay the same.
 */
export function inNamespace(pathname: string, namespace: string): string {
  const match = /^\/ns\/[^/]+(\/[^/]+)?/.exec(pathname)
  // The section is still encoded.
  return match ? paths.namespace({ namespace }) + (match[1] ?? '') : pathname
}

/** The route pattern of a path: `pattern(paths.applications)` is `/ns/:namespace/applications`. */
export const pattern = <P extends object>(build: (params: P) => string): string =>
  // A proxy that returns `:key` for any parameter that the builder reads.
  build(new Proxy({}, { get: (_, key) => `:${String(key)}` }) as P)

function path(texts: TemplateStringsArray, ...values: string[]): string {
  // `:namespace` is a placeholder of a pattern and must stay as it is; a name cannot start with a colon.
  const encoded = values.map((value) => (/^:[A-Za-z]+$/.test(value) ? value : encodeURIComponent(value)))
  return String.raw({ raw: texts }, ...encoded)
}

/** Every URL of ours, spelled once. Names are encoded, so a hostile one cannot leave its segment. */

export interface NamespaceParams {
  namespace: string
}

export interface ApplicationParams extends NamespaceParams {
  application: string
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
/** `latest-commits` or `pipelineruns`. */
export interface ActivityParams {
  activityTab: string
}

export const paths = {
  overview: () => '/',
  /** Where a sign-in ends that was begun beside another tab. */
  signedIn: () => '/signed-in',
  namespaces: () => '/ns',
  /** Leads on to the applications of the namespace. */
  namespace: (p: NamespaceParams) => path`/ns/${p.namespace}`,
  applications: (p: NamespaceParams) => path`/ns/${p.namespace}/applications`,
  createApplication: (p: NamespaceParams) => path`/ns/${p.namespace}/import`,
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
  commit: (p: CommitParams) => paths.application(p) + path`/commit/${p.commit}`,
  commitPipelineRuns: (p: CommitParams) => `${paths.commit(p)}/pipelineruns`,
  pipelineRun: (p: PipelineRunParams) => paths.application(p) + path`/pipelineruns/${p.pipelineRun}`,
  pipelineRunTaskRuns: (p: PipelineRunParams) => `${paths.pipelineRun(p)}/taskruns`,
  pipelineRunLogs: (p: PipelineRunParams) => `${paths.pipelineRun(p)}/logs`,
  pipelineRunSecurity: (p: PipelineRunParams) => `${paths.pipelineRun(p)}/security`,
  taskRun: (p: TaskRunParams) => paths.application(p) + path`/taskruns/${p.taskRun}`,
  taskRunDetails: (p: TaskRunParams) => `${paths.taskRun(p)}/details`,
  taskRunLogs: (p: TaskRunParams) => `${paths.taskRun(p)}/logs`,
  taskRunSecurity: (p: TaskRunParams) => `${paths.taskRun(p)}/security`,
  /** Where others send people who know a run but not its application; its name, `logs` and a task may follow. */
  anyPipelineRun: (p: NamespaceParams) => path`/ns/${p.namespace}/pipelineruns`,
  /** The same, as services of the platform spell it. */
  anyPipelineRunSingular: (p: NamespaceParams) => path`/ns/${p.namespace}/pipelinerun`,
}

/** The namespace that a path is within, also where no page is; `undefined` for paths of none. */
export function namespaceOf(pathname: string): string | undefined {
  const [, encoded] = /^\/ns\/([^/]+)/.exec(pathname) ?? []
  try {
    return encoded && decodeURIComponent(encoded)
  } catch {
    return undefined // A stray per cent sign: no address of ours.
  }
}

/**
 * Where one is led when another namespace is chosen on a page of this one: the first section of the same path, and
 * nothing of what is below it, since the other namespace has no such thing. Other paths stay.
 */
export function inNamespace(pathname: string, namespace: string): string {
  const match = /^\/ns\/[^/]+(\/[^/]+)?/.exec(pathname)
  // The section is still encoded, as it was found in the path.
  return match ? paths.namespace({ namespace }) + (match[1] ?? '') : pathname
}

/** The route pattern of a path: `pattern(paths.applications)` is `/ns/:namespace/applications`. */
export const pattern = <P extends object>(build: (params: P) => string): string =>
  // A stand-in that answers `:key` for whichever parameter the builder reads.
  build(new Proxy({}, { get: (_, key) => `:${String(key)}` }) as P)

function path(texts: TemplateStringsArray, ...values: string[]): string {
  // `:namespace` is the stand-in of a pattern; as a value it means the same unencoded.
  const encoded = values.map((value) => (/^:[A-Za-z]+$/.test(value) ? value : encodeURIComponent(value)))
  return String.raw({ raw: texts }, ...encoded)
}

import { type KubeObject, namespaceOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { shortSha } from '@slipway/model/git/git-facts'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { filteredByName, paths, type ApplicationParams, type ReleasePlanParams } from '../paths'
import { ExternalLink } from '../ui/text/ExternalLink'
import '../ui/inline-list.css'

/** The application of an object. Without one the object has no page, so its name is shown as text. */
export type InApplication = Partial<ApplicationParams>

export const applicationOf = (object: KubeObject): InApplication => ({
  namespace: namespaceOf(object),
  application: object.metadata.labels?.[labels.application],
})

/**
 * The application that a run works for, and the namespace that it is in: a managed pipeline runs in another namespace
 * than its release and all that is released.
 */
export function servedApplication(run: KubeObject): InApplication {
  const { application, namespace } = applicationOf(run)
  return { application, namespace: run.metadata.labels?.[labels.releaseNamespace] ?? namespace }
}

interface PageLinkProps {
  at: InApplication
  to: (at: ApplicationParams) => string
  children: ReactNode
}

const PageLink = ({ at, to, children }: PageLinkProps) => {
  const path = pathIn(at, to)
  return path ? <Link to={path}>{children}</Link> : children
}

/** The URL of a page in an application; `undefined` without an application, for `linkTo` of a column. */
export const pathIn = (
  { namespace, application }: InApplication,
  to: (at: ApplicationParams) => string,
): string | undefined => (namespace && application ? to({ namespace, application }) : undefined)

function InlineLinks({ names, link }: { names: readonly string[]; link: (name: string) => ReactNode }) {
  if (names.length === 0) return '-'
  return (
    <ul className="slipway-inline-list">
      {names.map((name) => (
        <li key={name}>{link(name)}</li>
      ))}
    </ul>
  )
}

export const ApplicationLink = ({ at }: { at: InApplication }) => (
  <PageLink at={at} to={paths.application}>
    {at.application}
  </PageLink>
)

export const ComponentLink = ({ at, component }: { at: InApplication; component: string }) => (
  <PageLink at={at} to={(params) => paths.component({ ...params, component })}>
    {component}
  </PageLink>
)

/** Links in one line; `-` without any. */
export const ComponentLinks = ({ at, components }: { at: InApplication; components: readonly string[] }) => (
  <InlineLinks names={components} link={(component) => <ComponentLink at={at} component={component} />} />
)

interface PipelineRunLinkProps {
  at: InApplication
  pipelineRun: string
  /** The integration test whose page has the link: the breadcrumb of the run leads back to it. */
  integrationTest?: string | undefined
  /** The release whose page has the link: the breadcrumb of the run leads back to it. */
  release?: string | undefined
}

export const PipelineRunLink = (props: PipelineRunLinkProps) => {
  const path = pipelineRunPath(props)
  return path ? <Link to={path}>{props.pipelineRun}</Link> : <RunWithoutPage pipelineRun={props.pipelineRun} />
}

/** The name of a run without an application, and why it is not a link. */
export const RunWithoutPage = ({ pipelineRun }: { pipelineRun: string }) => (
  <span title={`It has no page, since its label ${labels.application} is missing`}>{pipelineRun}</span>
)

/** The URL of a run; `undefined` without an application. */
export const pipelineRunPath = ({ at, pipelineRun, ...source }: PipelineRunLinkProps): string | undefined =>
  pathIn(at, (params) => paths.pipelineRun({ ...params, pipelineRun }) + cameFrom(source))

/** The query of a run's URL that names the page from which it was opened. */
export function cameFrom({ integrationTest, release }: Omit<PipelineRunLinkProps, 'at' | 'pipelineRun'>): string {
  if (integrationTest) return `?${new URLSearchParams({ integrationTestName: integrationTest })}`
  return release ? `?${new URLSearchParams({ releaseName: release })}` : ''
}

interface CommitLinkProps {
  at: InApplication
  sha: string
  /** The short SHA by default. */
  children?: ReactNode
}

export const CommitLink = ({ at, sha, children = shortSha(sha) }: CommitLinkProps) => (
  <PageLink at={at} to={(params) => paths.commit({ ...params, commit: sha })}>
    {children}
  </PageLink>
)

export const SnapshotLink = ({ at, snapshot }: { at: InApplication; snapshot: string }) => (
  <PageLink at={at} to={(params) => paths.snapshot({ ...params, snapshot })}>
    {snapshot}
  </PageLink>
)

/** Links in one line; `-` without any. */
export const SnapshotLinks = ({ at, snapshots }: { at: InApplication; snapshots: readonly string[] }) => (
  <InlineLinks names={snapshots} link={(snapshot) => <SnapshotLink at={at} snapshot={snapshot} />} />
)

export const IntegrationTestLink = ({ at, integrationTest }: { at: InApplication; integrationTest: string }) => (
  <PageLink at={at} to={(params) => paths.integrationTest({ ...params, integrationTest })}>
    {integrationTest}
  </PageLink>
)

export const ReleaseLink = ({ at, release }: { at: InApplication; release: string }) => (
  <PageLink at={at} to={(params) => paths.release({ ...params, release })}>
    {release}
  </PageLink>
)

export const ReleasePlanLink = (at: ReleasePlanParams) => <Link to={paths.releasePlan(at)}>{at.releasePlan}</Link>

/** Admissions have no pages of their own: a link to the list of their namespace, which shows only this one. */
export const ReleasePlanAdmissionLink = ({ namespace, admission }: { namespace: string; admission: string }) => (
  <Link to={filteredByName(paths.releasePlanAdmissions({ namespace }), admission)}>{admission}</Link>
)

export const PullRequestLink = ({ number, url }: { number: number; url: string | undefined }) => (
  <ExternalLink href={url}>#{number}</ExternalLink>
)

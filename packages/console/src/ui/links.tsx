import { namespaceOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { Run } from '@slipway/model/runs/tekton'
import { shortSha } from '@slipway/model/supply-chain/commit'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths, type ApplicationParams } from '../paths'
import { ExternalLink } from './text/ExternalLink'
import './inline-list.css'

/** The application of an object. Without one the object has no page, so its name is shown as text. */
type InApplication = Partial<ApplicationParams>

export const applicationOf = (run: Run): InApplication => ({
  namespace: namespaceOf(run),
  application: run.metadata.labels?.[labels.application],
})

interface PageLinkProps {
  at: InApplication
  to: (at: ApplicationParams) => string
  children: ReactNode
}

const PageLink = ({ at: { namespace, application }, to, children }: PageLinkProps) =>
  namespace && application ? <Link to={to({ namespace, application })}>{children}</Link> : children

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
export function ComponentLinks({ at, components }: { at: InApplication; components: readonly string[] }) {
  if (components.length === 0) return '-'
  return (
    <ul className="slipway-inline-list">
      {components.map((component) => (
        <li key={component}>
          <ComponentLink at={at} component={component} />
        </li>
      ))}
    </ul>
  )
}

export const PipelineRunLink = ({ at, pipelineRun }: { at: InApplication; pipelineRun: string }) => (
  <PageLink at={at} to={(params) => paths.pipelineRun({ ...params, pipelineRun })}>
    {pipelineRun}
  </PageLink>
)

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

export const PullRequestLink = ({ number, url }: { number: number; url: string | undefined }) => (
  <ExternalLink href={url}>#{number}</ExternalLink>
)

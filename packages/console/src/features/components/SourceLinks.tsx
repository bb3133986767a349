import type { Component } from '@slipway/model/supply-chain/component'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { sourceOf } from './component-source'

/** The repository of a component, as a link if a browser can open it. */
export function RepositoryLink({ component }: { component: Component }) {
  const { repoUrl, shortAddress } = sourceOf(component)
  if (!shortAddress) return '-'
  return repoUrl ? <ExternalLink href={repoUrl}>{shortAddress}</ExternalLink> : shortAddress
}

/** The branch, tag or commit that is built. */
export function RevisionLink({ component }: { component: Component }) {
  const { revision, revisionUrl } = sourceOf(component)
  if (!revision) return 'Default branch'
  return revisionUrl ? <ExternalLink href={revisionUrl}>{revision}</ExternalLink> : revision
}

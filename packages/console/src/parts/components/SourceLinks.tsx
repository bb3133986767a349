import type { Component } from '@slipway/model/builds/component'
import { sourceOf } from '@slipway/model/builds/component-source'
import { ExternalLink } from '../../ui/text/ExternalLink'

/** The repository of a component, as a link if a browser can open it. */
export function RepositoryLink({ component }: { component: Component }) {
  const { repoUrl, shortAddress } = sourceOf(component)
  return shortAddress ? <ExternalLink href={repoUrl}>{shortAddress}</ExternalLink> : '-'
}

/** The branch, tag or commit that is built. */
export function RevisionLink({ component }: { component: Component }) {
  const { revision, revisionUrl } = sourceOf(component)
  return revision ? <ExternalLink href={revisionUrl}>{revision}</ExternalLink> : 'Default branch'
}

import { nameOf, namespaceOf } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { annotations, labels } from '../labels'
import { type Release, releaseType } from './release'
import { authorLabel } from './release-author'

/** What the generated names of releases that are run again end in, before their random part. */
const suffix = '-rerun-'

/** A cluster cuts what is longer before it adds the random part, and the suffix would be lost. */
const maxGenerateNameLength = 58

/** `{name}-rerun-`: the name without the suffixes of earlier reruns, so that it has a single one. */
export function rerunGenerateName(name: string): string {
  const base = withoutSuffixes(name)
  return base.slice(0, maxGenerateNameLength - suffix.length).replace(/[-.]+$/, '') + suffix
}

function withoutSuffixes(name: string): string {
  const base = name.replace(/-rerun(-[a-z0-9]+)?$/, '')
  return base === name ? name : withoutSuffixes(base)
}

/**
 * The release that runs another one again: its labels, annotations and spec, without the state that a cluster or the
 * release service have added.
 * @param email of the user who requests it
 * @param application whose releases it is among; until the release service has labelled the copied one, it does not say
 */
export function rerunRelease(release: Release, email: string, application?: string): Release {
  const author = authorLabel(email)
  const { [labels.author]: _label, ...ownLabels } = release.metadata.labels ?? {}
  // Of the old object: kubectl would compare the new one with it.
  const {
    [labels.author]: _annotation,
    [annotations.lastApplied]: _applied,
    ...ownAnnotations
  } = release.metadata.annotations ?? {}
  return {
    apiVersion: apiVersionOf(releaseType),
    kind: releaseType.kind,
    metadata: {
      generateName: rerunGenerateName(nameOf(release)),
      namespace: namespaceOf(release),
      labels: {
        ...(application && { [labels.application]: application }),
        ...ownLabels,
        [labels.automated]: 'false',
        ...(author && { [labels.author]: author }),
      },
      annotations: { ...ownAnnotations, [labels.author]: email },
    },
    spec: release.spec,
  }
}

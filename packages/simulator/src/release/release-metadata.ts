import { applicationType } from '@slipway/model/builds/application'
import type { Release } from '@slipway/model/releases/release'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import { traceOf } from '../trace-context'

export const releaseFinalizer = 'appstudio.redhat.com/release-finalizer'

const copiedPrefixes = ['appstudio.openshift.io', 'pac.test.appstudio.openshift.io']

const copied = (entries: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(entries).filter(([key]) => copiedPrefixes.some((prefix) => key.startsWith(prefix))))

/**
 * Adds the labels, annotations and owner (the application) of its snapshot to a valid release, and the finalizer of the
 * service. Returns the same object if nothing is missing.
 * Source: release-service, controllers/release/adapter.go.
 */
export function withReleaseMetadata(release: Release, snapshot: Snapshot): Release {
  const { labels = {}, annotations = {}, finalizers = [], ownerReferences = [] } = release.metadata
  const isFinalized = finalizers.includes(releaseFinalizer)
  const application = (snapshot.metadata.ownerReferences ?? []).filter(({ kind }) => kind === applicationType.kind)
  // A snapshot that a user created gets its owner a moment later.
  if (isFinalized && (ownerReferences.length > 0 || application.length === 0)) return release
  return {
    ...release,
    metadata: {
      ...release.metadata,
      labels: { ...labels, ...copied(snapshot.metadata.labels) },
      annotations: { ...annotations, ...copied(snapshot.metadata.annotations), ...traceOf(snapshot) },
      finalizers: isFinalized ? finalizers : [...finalizers, releaseFinalizer],
      ownerReferences: ownerReferences.length > 0 ? ownerReferences : application,
    },
  }
}

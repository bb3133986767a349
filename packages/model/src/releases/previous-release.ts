import { nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import { createdAt, newestOf } from '../newest'
import { type Release, releaseStatus } from './release'

/**
 * The newest successful release of the same plan that was created before a release: what its contents are compared with.
 * @param release one that has not been created yet comes after all others
 * @param releases of its namespace, in any order, of any plan
 */
export function previousReleaseOf(release: Release, releases: readonly Release[]): Release | undefined {
  const plan = specOf(release).releasePlan
  const { creationTimestamp } = release.metadata
  const others = releases.filter(
    (other) =>
      specOf(other).releasePlan === plan &&
      namespaceOf(other) === namespaceOf(release) &&
      nameOf(other) !== nameOf(release) &&
      (!creationTimestamp || createdAt(other) <= creationTimestamp) &&
      releaseStatus(other) === 'Succeeded',
  )
  return newestOf(others)
}

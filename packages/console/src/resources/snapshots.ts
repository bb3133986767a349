import { specOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { type Snapshot, snapshotType } from '@slipway/model/snapshots/snapshot'
import { snapshotFields } from '@slipway/model/views/snapshot-fields'
import { queryOptions } from '@tanstack/react-query'
import { byCreation } from '../api/archive/merged-history'
import { isBeingDeleted } from '../api/archive/origin'
import { archivedList, archivedObject } from '../api/archive/when-missing'
import { firstPageQuery, getQuery, listQuery } from '../api/queries'
import { notFoundError } from './not-found'

export const snapshots = {
  /** Those of an application as a view. An archive stands in for it where the cluster has no snapshots at all. */
  view: (namespace: string, application: string) => ({
    view: { kind: snapshotType.plural, namespaces: [namespace], where: { application: [application] } },
    archive: {
      type: snapshotType,
      selection: { namespace, labels: { [labels.application]: application } },
      mask: snapshotFields,
      newestBy: byCreation,
      sort: '-created',
      isSubstitute: true,
    },
  }),
  /** The same as a list, for pages that join them with others. */
  listed: (namespace: string, application: string) =>
    listQuery(
      snapshotType,
      { namespace, labels: { [labels.application]: application }, mask: snapshotFields },
      { whenMissing: archivedList },
    ),
  /** Which images a limited number of them have, of an application or else of the namespace, for a search. */
  images: (namespace: string, application: string | undefined, limit: number) =>
    firstPageQuery(
      snapshotType,
      {
        namespace,
        labels: application ? { [labels.application]: application } : undefined,
        mask: [
          'metadata.name',
          'metadata.creationTimestamp',
          'spec.application',
          'spec.components.name',
          'spec.components.containerImage',
        ],
      },
      limit,
    ),
  get: (namespace: string, name: string) =>
    getQuery(snapshotType, { namespace, name }, { live: true, whenMissing: archivedObject }),
  /** A snapshot of an application; not found while it is being deleted or if it belongs to another application. */
  ofApplication: (namespace: string, application: string, name: string) =>
    queryOptions({
      ...snapshots.get(namespace, name),
      select: (snapshot: Snapshot): Snapshot => {
        if (specOf(snapshot).application === application && !isBeingDeleted(snapshot)) return snapshot
        throw notFoundError(
          snapshotType,
          { namespace, name },
          `The application ${application} has no snapshot ${name}.`,
        )
      },
    }),
}

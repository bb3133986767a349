import { type FieldPath, fieldPath } from '@slipway/kube/field-mask'
import { labels } from '@slipway/model/labels'
import { type Release, releaseType } from '@slipway/model/releases/release'
import { releaseFields, releaseOutcomeFields, releaseProgressFields } from '@slipway/model/views/release-fields'
import { queryOptions } from '@tanstack/react-query'
import { byCreation } from '../api/archive/merged-history'
import { archivedObject } from '../api/archive/when-missing'
import { firstPageQuery, getQuery, listQuery } from '../api/queries'
import { notFoundError } from './not-found'

const monitoredFields: readonly FieldPath[] = [
  ...releaseOutcomeFields,
  'metadata.creationTimestamp',
  'metadata.deletionTimestamp',
  fieldPath('metadata', 'labels', labels.component),
  'spec.releasePlan',
]

export const releases = {
  /** Only their plans, their snapshots and their progress. */
  progress: (namespace: string) => listQuery(releaseType, { namespace, mask: releaseProgressFields }),
  /** A limited number of them, for a search that must not read them all. */
  some: (namespace: string, application: string | undefined, limit: number) =>
    firstPageQuery(
      releaseType,
      {
        namespace,
        labels: application ? { [labels.application]: application } : undefined,
        mask: [
          'metadata.name',
          fieldPath('metadata', 'labels', labels.application),
          'spec.releasePlan',
          'spec.snapshot',
        ],
      },
      limit,
    ),
  /** What an archive has of a namespace, with the fields that the release monitor shows. */
  archived: { type: releaseType, mask: monitoredFields },
  /** Those of an application as a view, with an archive behind it. */
  view: (namespace: string, application: string) => ({
    view: { kind: releaseType.plural, namespaces: [namespace], where: { application: [application] } },
    archive: {
      type: releaseType,
      selection: { namespace, labels: { [labels.application]: application } },
      mask: releaseFields,
      newestBy: byCreation,
      sort: '-created',
    },
  }),
  /** Those of a namespace in the cluster as a view. */
  viewOfNamespace: (namespace: string) => ({ kind: releaseType.plural, namespaces: [namespace] }),
  /** Those of a plan in the cluster as a view. */
  viewOfPlan: (namespace: string, releasePlan: string) => ({
    kind: releaseType.plural,
    namespaces: [namespace],
    where: { releasePlan: [releasePlan] },
  }),
  get: (namespace: string, name: string) =>
    getQuery(releaseType, { namespace, name }, { live: true, whenMissing: archivedObject }),
  /**
   * A release of an application; not found if it belongs to another application. The service labels a release once it
   * is valid.
   */
  ofApplication: (namespace: string, application: string, name: string) =>
    queryOptions({
      ...releases.get(namespace, name),
      select: (release: Release): Release => {
        const owner = release.metadata.labels?.[labels.application]
        if (owner === undefined || owner === application) return release
        throw notFoundError(releaseType, { namespace, name }, `The application ${application} has no release ${name}.`)
      },
    }),
}

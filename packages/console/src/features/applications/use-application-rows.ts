import { type KubeList, nameOf, specOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { Application } from '@slipway/model/builds/application'
import { type Component, componentsOf } from '@slipway/model/builds/component'
import { lastDeployOf, type Release } from '@slipway/model/releases/release'
import { useQuery } from '@tanstack/react-query'
import { objectRows, type RowKind, type Source, useJoined, useList } from '../../api/source'
import { applications } from '../../resources/applications'
import { components } from '../../resources/components'
import { releases } from '../../resources/releases'

/** An application with what other lists say about it; each is `undefined` until its list is known. */
export interface ApplicationRow {
  application: Application
  componentCount: number | undefined
  /** RFC 3339; `null` for an application without a successful release. */
  lastDeploy: string | null | undefined
}

export const applicationRows: RowKind<ApplicationRow> = {
  idOf: ({ application }) => objectRows.idOf(application),
  nameOf: ({ application }) => nameOf(application),
  isBeingDeleted: ({ application }) => objectRows.isBeingDeleted(application),
  objectOf: ({ application }) => application,
}

interface ApplicationRows {
  source: Source<ApplicationRow>
  /** For the cells: applications are shown without a list that could not be read. */
  at: MissingLists
}

export interface MissingLists {
  hasNoComponents: boolean
  hasNoReleases: boolean
}

/** The applications of a namespace, with the number of their components and their last deployments. */
export function useApplicationRows(namespace: string): ApplicationRows {
  const counts = useQuery({ ...components.names(namespace), select: toCounts })
  const deploys = useQuery({ ...releases.outcomes(namespace), select: toLastDeploys })
  const source = useJoined(
    [useList(applications.list(namespace))],
    ([all]) =>
      all?.map((application) => ({
        application,
        componentCount: counts.data && (counts.data.get(nameOf(application)) ?? 0),
        lastDeploy: deploys.data && (deploys.data.get(nameOf(application)) ?? null),
      })),
    applicationRows,
  )
  return { source, at: { hasNoComponents: counts.isError, hasNoReleases: deploys.isError } }
}

// Constants, so that components and releases are read when they change and not on every render.
const toCounts = ({ items }: KubeList<Component>) =>
  perApplication(
    items,
    (component) => specOf(component).application,
    (own, application) => componentsOf(own, application).length,
  )
const toLastDeploys = ({ items }: KubeList<Release>) =>
  perApplication(items, ({ metadata }) => metadata.labels?.[labels.application], lastDeployOf)

function perApplication<T, V>(
  items: readonly T[],
  applicationOf: (item: T) => string | undefined,
  toValue: (own: T[], application: string) => V,
): ReadonlyMap<string, V> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const application = applicationOf(item)
    if (application === undefined) continue
    const own = groups.get(application) ?? []
    own.push(item)
    groups.set(application, own)
  }
  return new Map([...groups].map(([application, own]) => [application, toValue(own, application)]))
}

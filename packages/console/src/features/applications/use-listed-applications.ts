import { nameOf, specOf } from '@slipway/kube/object'
import { type Application, applicationType } from '@slipway/model/builds/application'
import { groupBy } from '@slipway/model/grouping'
import type { Health, HeldBack } from '@slipway/model/overview/namespace-health'
import { mostRows } from '@slipway/views/frame'
import { objectRows, type RowKind, type Source, useJoined } from '../../api/source'
import { type RowsQuery, useWholeView, viewOfFirstVisit } from '../../api/views/use-view'
import { isShallowEqual } from '../../lib/shallow-equal'
import { useFold } from '../../lib/use-fold'
import { type ListedComponent, useListedComponents } from '../../parts/components/use-builds'
import { useHealthViews } from '../../parts/health/use-health-views'
import { applicationOf } from '../../parts/links'

/** An application with what other lists say about it; `undefined` is not known yet, or could not be read. */
export interface ListedApplication {
  application: Application
  components: readonly ListedComponent[] | undefined
  health: Health | undefined
  heldBack: readonly HeldBack[] | undefined
  /** RFC 3339; `null` without a release that has succeeded. */
  lastDeploy: string | null | undefined
}

/** Applications are shown without a list that could not be read. */
export interface ApplicationCells {
  hasNoComponents: boolean
  hasNoReleases: boolean
  hasNoSnapshots: boolean
}

interface ListedApplications {
  source: Source<ListedApplication>
  cells: ApplicationCells
  /** For the badge of the page: those of the other lists. */
  others: readonly { label: string; source: Pick<Source<object>, 'freshness' | 'missing' | 'retry'> }[]
}

const applicationsIn = (namespace: string): RowsQuery => ({ kind: applicationType.plural, namespaces: [namespace] })

/** For `waitFor` of the page of the list. */
export const firstApplications = (namespace: string) => viewOfFirstVisit(applicationsIn(namespace), mostRows)

/** The applications of a namespace, with what there is to say about each: of all of them at once, never a call per row. */
export function useListedApplications(namespace: string): ListedApplications {
  const namespaces = [namespace]
  const listed = useWholeView<Application>(applicationsIn(namespace), 'applications')
  const components = useListedComponents(namespace)
  const { healthOf, heldBack, lastReleases, isKnown, source } = useHealthViews(namespaces, 'application')
  const { healths } = useFold(reuseEqualHealths, {
    healths: isKnown ? healthOf(listed.rows?.map(nameOf) ?? none) : none,
  })
  const joined = useJoined(
    [listed],
    ([applications]) => {
      const known = new Map(healths.map((each) => [each.name, each]))
      const componentsOf = components.rows && groupBy(components.rows, ({ component }) => specOf(component).application)
      const heldBackOf =
        heldBack.rows && groupBy(heldBack.rows, (each) => applicationOf(each.release ?? each.snapshot).application)
      return applications?.map((application): ListedApplication => {
        const name = nameOf(application)
        const health = known.get(name)
        return {
          application,
          components: componentsOf && (componentsOf.get(name) ?? none),
          health,
          heldBack: heldBackOf && (heldBackOf.get(name) ?? none),
          lastDeploy: lastReleases.rows && (health?.lastRelease?.status?.completionTime ?? null),
        }
      })
    },
    applicationRows,
  )
  return {
    source: joined,
    cells: {
      hasNoComponents: hasFailed(components),
      hasNoReleases: hasFailed(lastReleases),
      hasNoSnapshots: hasFailed(heldBack),
    },
    others: [
      { label: 'Components', source: components },
      { label: 'Health', source },
    ],
  }
}

const none: never[] = []

interface Healths {
  healths: readonly Health[]
}

/** Equal ones stay the same objects: what is read of other applications renders no row again. */
function reuseEqualHealths({ healths }: Healths, before?: Healths): Healths {
  const known = new Map(before?.healths.map((each) => [each.name, each]))
  return {
    healths: healths.map((each) => {
      const same = known.get(each.name)
      return same && isShallowEqual(same, each) ? same : each
    }),
  }
}

const hasFailed = ({ rows, error, retryReason }: Omit<Source<unknown>, 'kind'>): boolean =>
  !rows && Boolean(error ?? retryReason)

const applicationRows: RowKind<ListedApplication> = {
  idOf: ({ application }) => objectRows.idOf(application),
  nameOf: ({ application }) => nameOf(application),
  isBeingDeleted: ({ application }) => objectRows.isBeingDeleted(application),
}

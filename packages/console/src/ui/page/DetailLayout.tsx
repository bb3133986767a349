import { Alert, Skeleton } from '@patternfly/react-core'
import { isForbidden, isNotFound } from '@slipway/kube/status'
import type { ReactNode } from 'react'
import { Outlet, useLocation, useResolvedPath, useSearchParams } from 'react-router'
import { archiveNameOf } from '../../api/archive/archived-in'
import { isArchived, isMissing } from '../../api/archive/origin'
import type { Source } from '../../api/source'
import type { Action } from '../action'
import { ActionButton } from '../actions/ActionButton'
import { ActionMenu } from '../actions/ActionMenu'
import { ProminentButton } from '../actions/ProminentAction'
import { FreshnessReporter } from '../freshness-scope'
import { LastKnownScope } from '../status/last-known'
import { lazyComponent, ChunkLoadAlert } from './lazy-component'
import { NoResponse, useIsOverdue } from '../status/NoResponse'
import { useMediaQuery } from './media-query'
import { useRegisterActions } from './page-actions'
import { type Crumb, Page } from './Page'
import { currentTab, type PageTab, PageTabs } from './PageTabs'
import { LoadFailure } from '../failures/LoadFailure'
import './detail-layout.css'

interface DetailLayoutProps<T extends object> {
  /** Such as `Application`; in lower case also the noun in `Unable to load {noun}`. */
  kind: string
  /** In the title of the document, and on the page too unless there is a `title`. */
  name: string
  /** Its row is the object that the screens show. */
  source: Source<T>
  breadcrumbs: Crumb[]
  title?: (row: T) => string
  /** Next to the title, such as a status. */
  label?: (row: T) => ReactNode
  actions?: (row: T) => Action[]
  tabs: PageTab[] | ((row: T) => PageTab[])
  /** Query that all tabs keep, such as which page the user came from. */
  tabQuery?: string
  /** Shown if the source has no row; objects that do not exist have the not-found page of the route. */
  empty?: ReactNode
}

/**
 * Frame of the screens of one object: name, status, actions, tabs that are child routes, and freshness. Like the table
 * of a list it takes a *source*, so that it handles loading, failures, deletion, archived objects and being offline,
 * and pages do not. Its tabs find an object in the cache by the same query, and anything else in the context of the
 * outlet.
 */
export function DetailLayout<T extends object>({
  kind,
  name,
  source,
  breadcrumbs,
  title = () => name,
  label,
  actions,
  tabs: tabsOf,
  tabQuery = '',
  empty,
}: DetailLayoutProps<T>) {
  const { rows, error, isFetching, retry, freshness } = source
  const frame = { breadcrumbs, position: <ListPosition page={useResolvedPath('.').pathname} /> }
  const row = rows?.[0]
  const object = row && source.kind.objectOf?.(row)
  const [isYamlShown, showYaml] = useYamlInUrl()
  const tabs = typeof tabsOf === 'function' ? (row ? tabsOf(row) : []) : tabsOf
  const { pathname } = useLocation()
  const current = currentTab(tabs, pathname)
  const wasDeleted = isMissing(error)
  const own = row ? (actions?.(row) ?? []) : []
  const offered: Action[] = [
    ...own.map((action) => (wasDeleted ? { ...action, disabledReason: gone } : action)),
    ...(object ? [{ label: 'View YAML', isAddition: true, onSelect: () => showYaml(true) }] : []),
  ]
  useRegisterActions(offered)
  const isOverdue = useIsOverdue(!rows && !error)
  if (!row && error) {
    // The not-found and forbidden pages of objects belong to the route.
    if (source.kind.objectOf && (isNotFound(error) || isForbidden(error))) throw error
    return (
      <Page title={name} {...frame}>
        <LoadFailure noun={kind.toLowerCase()} error={error} isRetrying={isFetching} onRetry={retry} />
      </Page>
    )
  }
  if (isOverdue) {
    return (
      <Page title={name} {...frame}>
        <NoResponse noun={`this ${kind.toLowerCase()}`} />
      </Page>
    )
  }
  if (rows && !row) {
    return (
      <Page title={name} {...frame}>
        {empty}
      </Page>
    )
  }
  return (
    <LastKnownScope freshness={freshness}>
      <Page
        title={row ? title(row) : name}
        documentTitle={current ? `${name} - ${current.label}` : name}
        {...frame}
        status={row ? label?.(row) : <Skeleton width="6rem" screenreaderText={`Loading ${name}`} />}
        actions={offered.length > 0 && <Actions name={name} actions={offered} />}
      >
        <FreshnessReporter
          label={kind}
          freshness={freshness}
          onRetry={retry}
          archive={source.archive ?? (object && archiveNameOf(object))}
          isArchived={object && isArchived(object)}
          missing={source.missing}
        />
        {wasDeleted && (
          <Alert isInline isLiveRegion variant="warning" component="p" title={`This ${kind.toLowerCase()} was deleted`}>
            The data below is its last known state.
          </Alert>
        )}
        {row && source.kind.isBeingDeleted(row) && !wasDeleted && (
          <Alert isInline variant="warning" component="p" title={`This ${kind.toLowerCase()} is being deleted`} />
        )}
        {tabs.length === 0 ? (
          // The tabs depend on the object. Their space is reserved, so that nothing moves.
          <div className="slipway-tabs" />
        ) : (
          <PageTabs
            label={name.startsWith(kind) ? name : `${kind} ${name}`}
            tabs={tabs}
            current={current}
            query={tabQuery}
          >
            {row && <Outlet context={row} />}
          </PageTabs>
        )}
        {object && isYamlShown && <ObjectYamlDialog object={object} onClose={() => showYaml(false)} />}
      </Page>
    </LastKnownScope>
  )
}

const gone = 'It was deleted'

const ListPosition = lazyComponent(() => import('../table/ListPosition'), 'ListPosition')

/** A menu of all of them, after those that users are likely to want. A menu with a single entry would only hide it. */
function Actions({ name, actions }: { name: string; actions: Action[] }) {
  // There, the title needs the room.
  const isNarrow = useMediaQuery('(width < 48rem)')
  const [first, ...others] = actions
  if (!first || others.length > 0) {
    return (
      <div className="slipway-actions">
        {!isNarrow &&
          actions.map((action) => action.isProminent && <ProminentButton key={action.label} action={action} />)}
        <ActionMenu label={`Actions for ${name}`} actions={actions} />
      </div>
    )
  }
  return (
    <ActionButton variant="secondary" disabledReason={first.disabledReason} onClick={first.onSelect}>
      {first.label}
    </ActionButton>
  )
}

const ObjectYamlDialog = lazyComponent(() => import('../dialogs/ObjectYamlDialog'), 'ObjectYamlDialog', {
  Missing: ChunkLoadAlert,
})

/** Whether the YAML is shown is in the URL: `?yaml`. */
function useYamlInUrl(): [isShown: boolean, show: (isShown: boolean) => void] {
  const [params, setParams] = useSearchParams()
  const show = (isShown: boolean) =>
    setParams((before) => {
      const next = new URLSearchParams(before)
      if (isShown) next.set('yaml', '')
      else next.delete('yaml')
      return next
    })
  return [params.has('yaml'), show]
}

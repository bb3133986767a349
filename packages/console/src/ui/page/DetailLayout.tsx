import { Alert, Skeleton, Tab, Tabs, TabTitleText } from '@patternfly/react-core'
import type { KubeObject } from '@slipway/kube/object'
import { isForbidden, isNotFound } from '@slipway/kube/status'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { Outlet, useLocation, useNavigate, useSearchParams } from 'react-router'
import { isArchived, isBeingDeleted, isMissing } from '../../api/archive/origin'
import type { getQuery } from '../../api/queries'
import type { Action } from '../action'
import { ActionMenu } from '../actions/ActionMenu'
import { FreshnessReporter } from '../freshness-scope'
import { LastKnownScope } from '../status/last-known'
import { lazyComponent, ChunkLoadAlert } from './lazy-component'
import { NoResponse, useIsOverdue } from '../status/NoResponse'
import { useRegisterActions } from './page-actions'
import { type Crumb, Page } from './Page'
import { LoadFailure } from '../table/TableState'

export interface DetailTab {
  label: string
  /** Its own address, a child route of the layout. */
  to: string
  /** What it consists of, each at an address of its own below that of the tab. */
  parts?: readonly DetailTab[]
}

interface DetailLayoutProps<T extends KubeObject> {
  /** In lower case the thing of `Unable to load {thing}`, such as `Application`. */
  kind: string
  name: string
  query: ReturnType<typeof getQuery<T>>
  breadcrumbs: Crumb[]
  /** Beside the title, such as a status. */
  label?: (object: T) => ReactNode
  actions?: (object: T) => Action[]
  tabs: DetailTab[] | ((object: T) => DetailTab[])
}

/**
 * Frame of the screens of one object: name, status, actions, tabs that are child routes, and how fresh it all is. Like
 * the table of a list it takes the *query*, so that loading, failing, being deleted meanwhile, coming from the archive
 * and being offline belong to it and to no page. Its tabs find the object in the cache, by the same query.
 */
export function DetailLayout<T extends KubeObject>({
  kind,
  name,
  query,
  breadcrumbs,
  label,
  actions,
  tabs: tabsOf,
}: DetailLayoutProps<T>) {
  const { data: object, error, isFetching, refetch } = useQuery(query)
  const [isYamlShown, showYaml] = useYamlInUrl()
  const tabs = typeof tabsOf === 'function' ? (object ? tabsOf(object) : []) : tabsOf
  const { pathname } = useLocation()
  const current = currentTab(tabs, pathname)
  const isNowhere = isNotFound(error)
  const wasDeleted = isMissing(error)
  const offered: Action[] = object
    ? [
        ...(actions?.(object) ?? []).map((action) => (wasDeleted ? { ...action, disabledReason: gone } : action)),
        { label: 'View YAML', onSelect: () => showYaml(true) },
      ]
    : []
  useRegisterActions(offered)
  const retry = () => void refetch()
  const isOverdue = useIsOverdue(!object && !error)
  if (!object && error) {
    // The pages for what does not exist or may not be seen belong to the route.
    if (isNowhere || isForbidden(error)) throw error
    return (
      <Page title={name} breadcrumbs={breadcrumbs}>
        <LoadFailure noun={kind.toLowerCase()} error={error} isRetrying={isFetching} onRetry={retry} />
      </Page>
    )
  }
  if (isOverdue) {
    return (
      <Page title={name} breadcrumbs={breadcrumbs}>
        <NoResponse noun={`this ${kind.toLowerCase()}`} />
      </Page>
    )
  }
  const freshness = [{ name: kind.toLowerCase(), queryKey: query.queryKey }]
  const shownLabel = object && label?.(object)
  return (
    <LastKnownScope freshness={freshness}>
      <Page
        title={name}
        documentTitle={current ? `${name} - ${current.label}` : name}
        breadcrumbs={breadcrumbs}
        status={object ? shownLabel : <Skeleton width="6rem" screenreaderText={`Loading ${name}`} />}
        actions={offered.length > 0 && <ActionMenu label={`Actions for ${name}`} actions={offered} />}
      >
        <FreshnessReporter
          label={kind}
          freshness={freshness}
          onRetry={retry}
          isArchived={object && isArchived(object)}
        />
        {wasDeleted && (
          <Alert isInline isLiveRegion variant="warning" component="p" title={`This ${kind.toLowerCase()} was deleted`}>
            What is shown is how it was last.
          </Alert>
        )}
        {object && isBeingDeleted(object) && !wasDeleted && (
          <Alert isInline variant="warning" component="p" title={`This ${kind.toLowerCase()} is being deleted`} />
        )}
        {tabs.length === 0 ? (
          // Which there are depends on the object; their line is there already, so that nothing moves.
          <div className="slipway-tabs" />
        ) : (
          <DetailTabs label={`${kind} ${name}`} tabs={tabs} current={current}>
            {object && <Outlet />}
          </DetailTabs>
        )}
        {object && isYamlShown && <ObjectYamlDialog object={object} onClose={() => showYaml(false)} />}
      </Page>
    </LastKnownScope>
  )
}

const gone = 'It was deleted'

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

/** The one whose page is shown; the addresses of later tabs may begin with that of the first. */
export const currentTab = (tabs: readonly DetailTab[], pathname: string): DetailTab | undefined =>
  tabs.findLast(({ to }) => pathname === to || pathname.startsWith(`${to}/`))

interface DetailTabsProps {
  /** Of what they are parts. */
  label: string
  tabs: readonly DetailTab[]
  current: DetailTab | undefined
  /** Of the current tab. */
  children: ReactNode
}

export function DetailTabs({ label, tabs, current, children }: DetailTabsProps) {
  const panelId = useId()
  const { pathname } = useLocation()
  const part = currentTab(current?.parts ?? [], pathname)
  return (
    <>
      <div className="slipway-tabs">
        <TabLinks label={label} tabs={tabs} current={current} panelId={panelId} />
        {current?.parts && (
          <TabLinks
            isSubtab
            label={`${current.label} of ${label}`}
            tabs={current.parts}
            current={part}
            panelId={panelId}
          />
        )}
      </div>
      <div id={panelId} role="tabpanel" aria-label={part?.label ?? current?.label}>
        {children}
      </div>
    </>
  )
}

interface TabLinksProps extends Pick<DetailTabsProps, 'label' | 'tabs' | 'current'> {
  panelId: string
  isSubtab?: boolean
}

function TabLinks({ label, tabs, current, panelId, isSubtab = false }: TabLinksProps) {
  const navigate = useNavigate()
  return (
    <Tabs
      aria-label={label}
      component="nav"
      isSubtab={isSubtab}
      activeKey={current?.to}
      onSelect={(event, to) => {
        // A new tab or window is the browser's business.
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        void navigate(String(to))
      }}
    >
      {tabs.map((tab) => (
        <Tab
          key={tab.to}
          eventKey={tab.to}
          href={tab.to}
          tabContentId={panelId}
          title={<TabTitleText>{tab.label}</TabTitleText>}
        />
      ))}
    </Tabs>
  )
}

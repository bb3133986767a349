import { Tab, Tabs, TabTitleText } from '@patternfly/react-core'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { basePath } from '../../lib/base-path'

export interface PageTab {
  label: string
  /** Its own URL, a child route of the layout. */
  to: string
  /** Its subtabs, each with a URL below that of the tab. */
  parts?: readonly PageTab[]
}

/** The tab whose page is shown. The URLs of later tabs may start with that of the first. */
export const currentTab = (tabs: readonly PageTab[], pathname: string): PageTab | undefined =>
  tabs.findLast(({ to }) => pathname === to || pathname.startsWith(`${to}/`))

interface PageTabsProps {
  /** Accessible name of the tabs. */
  label: string
  /** Query that the URLs of all tabs share. */
  query?: string
  tabs: readonly PageTab[]
  current: PageTab | undefined
  /** Content of the current tab. */
  children: ReactNode
}

export function PageTabs({ label, query = '', tabs, current, children }: PageTabsProps) {
  const panelId = useId()
  const { pathname } = useLocation()
  const part = currentTab(current?.parts ?? [], pathname)
  const tabLists = useRef<HTMLDivElement>(null)
  // A telephone shows only some of the tabs, and fewer once there are buttons to scroll them. `scrollIntoView` would also
  // scroll the page.
  useLayoutEffect(() => {
    const observers = [...(tabLists.current?.querySelectorAll<HTMLElement>('.pf-m-current') ?? [])].map((tab) => {
      const list = tab.parentElement
      const observer = new ResizeObserver(() => {
        // Browsers round both widths, so that tabs that fit may seem a pixel wider than their list.
        if (list && list.scrollWidth > list.clientWidth + 1)
          list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2
      })
      for (const resized of [tab, list]) if (resized) observer.observe(resized)
      return observer
    })
    return () => {
      for (const observer of observers) observer.disconnect()
    }
  }, [current?.to, part?.to])
  return (
    <>
      <div className="slipway-tabs" ref={tabLists}>
        <TabLinks label={label} query={query} tabs={tabs} current={current} panelId={panelId} />
        {current?.parts && (
          <TabLinks
            isSubtab
            label={`${current.label} of ${label}`}
            query={query}
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

interface TabLinksProps extends Pick<PageTabsProps, 'label' | 'tabs' | 'current'> {
  query: string
  panelId: string
  isSubtab?: boolean
}

function TabLinks({ label, query, tabs, current, panelId, isSubtab = false }: TabLinksProps) {
  const navigate = useNavigate()
  return (
    <Tabs
      aria-label={label}
      component="nav"
      isSubtab={isSubtab}
      activeKey={current?.to}
      onSelect={(event, to) => {
        // Let the browser open a new tab or window.
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        void navigate(String(to) + query)
      }}
    >
      {tabs.map((tab) => (
        <Tab
          key={tab.to}
          eventKey={tab.to}
          href={basePath + tab.to + query}
          tabContentId={panelId}
          title={<TabTitleText>{tab.label}</TabTitleText>}
        />
      ))}
    </Tabs>
  )
}

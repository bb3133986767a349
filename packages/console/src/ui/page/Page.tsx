import '@patternfly/react-styles/css/components/Breadcrumb/breadcrumb.css'
import '@patternfly/react-styles/css/components/Content/content.css'
import '@patternfly/react-styles/css/components/Title/title.css'
import CaretIcon from '@patternfly/react-icons/dist/esm/icons/rh-microns-caret-right-icon'
import { createContext, type ReactNode, use } from 'react'
import { Link, useLocation } from 'react-router'
import { namespaceInPath } from '../../paths'
import { withVisibleControls } from '../text/UserText'
import { useDocumentTitle } from './document-title'
import { FreshnessScope, usePanels } from '../freshness-scope'
import { lazyComponent } from './lazy-component'
import { PageSection } from './PageSection'
import './Page.css'

const PageFreshness = lazyComponent(() => import('../PageFreshness'), 'PageFreshness')

export interface Crumb {
  label: string
  /** Absent for the page itself, the last crumb. */
  to?: string
  /** In place of the label, such as a switcher. */
  content?: ReactNode
}

interface PageProps {
  /** The one h1 of the page, and the first part of the browser's title. */
  title: string
  /** Title of the browser tab, if it says more than the heading. */
  documentTitle?: string
  /** Next to the title, such as the status of an object. */
  status?: ReactNode
  description?: ReactNode
  /** After the namespace of the page, where it has one. */
  breadcrumbs?: Crumb[]
  /** At the end of the line above the title, for the page of an item of a list. */
  position?: ReactNode
  /** Buttons or menus, on the right of the title. */
  actions?: ReactNode
  /** Stays visible below the content. */
  footer?: ReactNode
  children: ReactNode
}

/**
 * Frame of every page: a line with the breadcrumbs and how fresh the page is, a line with the title and the actions,
 * the content, and a footer. The shell moves the focus to its h1.
 */
export function Page({
  title,
  documentTitle = title,
  status,
  description,
  breadcrumbs,
  position,
  actions,
  footer,
  children,
}: PageProps) {
  useDocumentTitle(documentTitle)
  const namespace = namespaceInPath(useLocation().pathname)
  const hasLocation = namespace !== undefined || breadcrumbs !== undefined
  return (
    <FreshnessScope>
      {hasLocation && (
        <PageLocation breadcrumbs={breadcrumbs}>
          <Freshness />
          {position}
        </PageLocation>
      )}
      <PageSection className="slipway-page__header">
        <div className="slipway-page__titles">
          <h1 className="pf-v6-c-title pf-m-xl">{withVisibleControls(title)}</h1>
          {status && <div className="slipway-page__status">{status}</div>}
          {description && <p className="pf-v6-c-content--p slipway-page__description">{description}</p>}
        </div>
        {!hasLocation && <Freshness />}
        {actions && <div>{actions}</div>}
      </PageSection>
      <PageSection className="pf-m-fill slipway-page__content">{children}</PageSection>
      {footer && <PageSection className="pf-m-sticky-bottom slipway-page__footer">{footer}</PageSection>}
    </FreshnessScope>
  )
}

/** Not loaded for a page that reads nothing. */
const Freshness = () => usePanels().length > 0 && <PageFreshness />

interface PageLocationProps {
  breadcrumbs?: Crumb[] | undefined
  /** At the end of the line. */
  children?: ReactNode
}

/** Where the breadcrumbs of every page begin, such as a switcher of namespaces, which the shell provides. */
export const LocationStart = createContext<ReactNode>(null)

/** The line above the title: where all pages begin, and breadcrumbs from there to the page. */
export function PageLocation({ breadcrumbs = [], children }: PageLocationProps) {
  const start = use(LocationStart)
  return (
    <PageSection type="breadcrumb" className="slipway-page__location">
      <nav aria-label="Breadcrumb" className="pf-v6-c-breadcrumb">
        <ol role="list" className="pf-v6-c-breadcrumb__list">
          {start && <li className="pf-v6-c-breadcrumb__item">{start}</li>}
          {breadcrumbs.map(({ label, to, content }, index) => (
            // Keyed by index: a component may have the name of its application.
            <li key={index} className="pf-v6-c-breadcrumb__item">
              {(start || index > 0) && (
                <span className="pf-v6-c-breadcrumb__item-divider">
                  <CaretIcon />
                </span>
              )}
              {content ?? (to ? <Link to={to}>{label}</Link> : label)}
            </li>
          ))}
        </ol>
      </nav>
      {children}
    </PageSection>
  )
}

import { Breadcrumb, BreadcrumbItem, Content, PageSection, Title } from '@patternfly/react-core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useDocumentTitle } from './document-title'
import './Page.css'

export interface Crumb {
  label: string
  /** Left out for the page itself, the last crumb. */
  to?: string
  /** In place of the label, such as a switcher. */
  content?: ReactNode
}

interface PageProps {
  /** The one h1 of the page, and the first part of the browser's title. */
  title: string
  /** Of the browser's title, where it says more than the heading. */
  documentTitle?: string
  description?: ReactNode
  breadcrumbs?: Crumb[]
  /** Buttons or menus, on the right of the title. */
  actions?: ReactNode
  /** Stays in sight below the content. */
  footer?: ReactNode
  children: ReactNode
}

/** Frame of every page: breadcrumbs, title with actions, content, footer. The shell moves the focus to its h1. */
export function Page({ title, documentTitle = title, description, breadcrumbs, actions, footer, children }: PageProps) {
  useDocumentTitle(documentTitle)
  return (
    <>
      {breadcrumbs && (
        <PageSection type="breadcrumb" hasBodyWrapper={false}>
          <Breadcrumb>
            {breadcrumbs.map(({ label, to, content }, index) => (
              // By its place: a component may be called as its application is.
              <BreadcrumbItem key={index} isActive={!to && !content}>
                {content ? (
                  <span className="slipway-page__crumb">{content}</span>
                ) : to ? (
                  <Link to={to}>{label}</Link>
                ) : (
                  label
                )}
              </BreadcrumbItem>
            ))}
          </Breadcrumb>
        </PageSection>
      )}
      <PageSection hasBodyWrapper={false} className="slipway-page__header">
        <div className="slipway-page__top">
          <div className="slipway-page__titles">
            <Title headingLevel="h1">{title}</Title>
            {description && (
              <Content
                component={typeof description === 'string' ? 'p' : undefined}
                className="slipway-page__description"
              >
                {description}
              </Content>
            )}
          </div>
          {actions && <div>{actions}</div>}
        </div>
      </PageSection>
      <PageSection hasBodyWrapper={false} isFilled className="slipway-page__content">
        {children}
      </PageSection>
      {footer && (
        <PageSection hasBodyWrapper={false} stickyOnBreakpoint={{ default: 'bottom' }} className="slipway-page__footer">
          {footer}
        </PageSection>
      )}
    </>
  )
}

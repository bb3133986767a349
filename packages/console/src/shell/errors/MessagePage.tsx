import type { ComponentType, ReactNode } from 'react'
import { useLocation } from 'react-router'
import { namespaceInPath } from '../../paths'
import { useDocumentTitle } from '../../ui/page/document-title'
import { PageLocation } from '../../ui/page/Page'
import { lazyComponent } from '../../ui/page/lazy-component'
import { PageSection } from '../../ui/page/PageSection'
import { MessagePanel } from '../../ui/status/MessagePanel'

const ListPosition = lazyComponent(() => import('../../ui/table/ListPosition'), 'ListPosition')

interface MessagePageProps {
  /** The document title. */
  title: string
  heading: string
  icon?: ComponentType
  status?: 'danger'
  /** What the user can do about it. */
  action?: ReactNode
  children?: ReactNode
}

/** A page with only a message and a way out. */
export function MessagePage({ title, heading, icon, status, action, children }: MessagePageProps) {
  useDocumentTitle(title)
  // Not that of the route: a path that matches none may be in a namespace too.
  const namespace = namespaceInPath(useLocation().pathname)
  return (
    <>
      {namespace !== undefined && (
        <PageLocation>
          <ListPosition />
        </PageLocation>
      )}
      <PageSection className="pf-m-fill">
        <MessagePanel variant="lg" headingLevel="h1" titleText={heading} icon={icon} status={status} action={action}>
          {children}
        </MessagePanel>
      </PageSection>
    </>
  )
}

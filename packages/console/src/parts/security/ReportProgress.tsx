import { Content } from '@patternfly/react-core'
import { plural } from '../../parts/graph/node-text'
import type { PolicyChecks } from './use-policy-checks'

type Progress = Pick<PolicyChecks, 'reportCount' | 'settledCount' | 'unreadCount'>

/** How many of the reports the page is made of; nothing once it is made of all of them. */
export function ReportProgress({ checks: { reportCount, settledCount, unreadCount } }: { checks: Progress }) {
  const isReading = settledCount < reportCount
  if (!isReading && unreadCount === 0) return null
  return (
    <Content component="small" role="status">
      {isReading && `Reading reports: ${settledCount} of ${reportCount}. `}
      {unreadCount > 0 &&
        `Only the ${plural(reportCount, 'newest report')} are read: ${plural(unreadCount, 'older verification')} may have more.`}
    </Content>
  )
}

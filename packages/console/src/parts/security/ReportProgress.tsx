import { Content } from '@patternfly/react-core'
import { plural } from '../graph/node-text'
import type { Reports } from './use-reports'

type Progress = Pick<Reports<unknown>, 'reportCount' | 'settledCount' | 'unreadCount'>

/**
 * How many of the reports the page is made of; nothing once it is made of all of them.
 * @param older what has the reports that are not read, such as `older verification`
 */
export function ReportProgress({ of, older }: { of: Progress; older: string }) {
  const { reportCount, settledCount, unreadCount } = of
  const isReading = settledCount < reportCount
  if (!isReading && unreadCount === 0) return null
  return (
    <Content component="small" role="status">
      {isReading && `Reading reports: ${settledCount} of ${reportCount}. `}
      {unreadCount > 0 &&
        `Only the ${plural(reportCount, 'newest report')} are read: ${plural(unreadCount, older)} may have more.`}
    </Content>
  )
}

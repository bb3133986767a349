import { Label } from '@patternfly/react-core'
import CalendarIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-calendar-icon'
import { soonestText } from '@slipway/model/policy/policy-dates-text'
import { taskRunType } from '@slipway/model/runs/task-run'
import { Link } from 'react-router'
import { useAccess } from '../../api/access/use-access'
import { failureText } from '../../api/messages'
import { paths } from '../../paths'
import { plural } from '../graph/node-text'
import type { PolicyScope } from './policy-scope'
import { usePolicyDates } from './use-policy-dates'

/** The verifications whose reports are read for a badge: each is a log. */
const mostReports = 10

/** When the policy begins to fail what passes now, as a link to its dates; nothing if it is known not to. */
export function PolicyDatesBadge(scope: PolicyScope) {
  const { isAllowed, isPending } = useAccess([{ verb: 'list', type: taskRunType, namespace: scope.namespace }])
  if (isAllowed) return <BadgeOf {...scope} />
  return isPending ? null : <small>Policy dates are not known: you may not list task runs.</small>
}

function BadgeOf({ namespace, application }: PolicyScope) {
  const { checks, policies, dates } = usePolicyDates({ namespace, application }, mostReports)
  const { reportCount, settledCount, unreadCount, error, missing } = checks
  if (error) return <small>Policy dates are not known: {failureText(error)}</small>
  if (!dates || settledCount < reportCount) return null
  const to =
    application === undefined
      ? paths.policyDates({ namespace })
      : paths.applicationPolicyDates({ namespace, application })
  const gap =
    unreadCount > 0
      ? `${reportCount} of ${plural(reportCount + unreadCount, 'verification')} read`
      : missing.length > 0 || policies.unknown.length > 0
        ? 'not all could be read'
        : undefined
  const [first, ...others] = dates
  if (!first)
    return (
      gap && (
        <small>
          <Link to={to}>No policy dates known</Link> ({gap})
        </small>
      )
    )
  return (
    <>
      <Label
        isCompact
        variant="outline"
        status={first.isDue ? 'danger' : 'warning'}
        icon={<CalendarIcon />}
        textMaxWidth="24rem"
        render={({ className, content, componentRef }) => (
          <Link to={to} className={className} ref={componentRef}>
            {content}
          </Link>
        )}
      >
        {soonestText([first, ...others])}
      </Label>
      {gap && <small> ({gap})</small>}
    </>
  )
}

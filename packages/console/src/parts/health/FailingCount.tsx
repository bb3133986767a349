import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { viewsServiceQuery } from '../../api/views/service-probe'
import { useView } from '../../api/views/use-view'
import { paths } from '../../paths'
import { StatusIcon } from '../status/StatusLabel'
import { badQueries } from './use-health-views'
import './failing-count.css'

interface FailingCountProps {
  namespace: string
  /** Called when its link is clicked. */
  onNavigate: () => void
}

/**
 * How much fails in a namespace now. Only a service that reads lists for all users counts it: without one, each tab would
 * read three lists on every page, whatever the page shows.
 */
export function FailingCount({ namespace, onNavigate }: FailingCountProps) {
  // Every list requests it; a page without a list does not have to.
  const { data: hasService } = useQuery({ ...viewsServiceQuery, enabled: false })
  if (hasService === undefined) return null
  if (hasService) return <Counted key={namespace} namespace={namespace} onNavigate={onNavigate} />
  return (
    <span
      className="slipway-failing-count"
      title="What fails here is not counted, since this cluster has no service for list views. The list of applications says it."
    >
      <span className="pf-v6-screen-reader">Failures are not counted</span>
      <span aria-hidden>–</span>
    </span>
  )
}

function Counted({ namespace, onNavigate }: FailingCountProps) {
  const namespaces = [namespace]
  const sources = [
    useView({ ...badQueries.builds, namespaces }, 'failing builds', 1),
    useView({ ...badQueries.tests, namespaces }, 'failing tests', 1),
    useView({ ...badQueries.releases, namespaces }, 'failed releases', 1),
  ]
  const count = sources.reduce((sum, { window }) => sum + (window?.total ?? 0), 0)
  const isIncomplete = sources.some(({ rows, missing, window }) => !rows || missing.length > 0 || window?.isArriving)
  // What is not known is not said to be well: the list of applications says why.
  if (count === 0) return null
  const text = `${count}${isIncomplete ? ' or more' : ''} failing in ${namespace}`
  return (
    <Link
      to={`${paths.applications({ namespace })}?sort=status`}
      onClick={onNavigate}
      className="slipway-failing-count"
      aria-label={text}
      title={text}
    >
      <StatusIcon status="Failed" /> {count}
      {isIncomplete && '+'}
    </Link>
  )
}

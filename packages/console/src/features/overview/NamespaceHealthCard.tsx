import { Button, Skeleton } from '@patternfly/react-core'
import StarFillIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-star-fill-icon'
import StarIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-star-icon'
import type { Health } from '@slipway/model/overview/namespace-health'
import { Link } from 'react-router'
import { useFlag } from '../../api/flags/flags'
import { useStore } from '../../lib/store'
import { paths } from '../../paths'
import { HealthFacts, HealthLabel } from '../../parts/health/HealthLabel'
import { pinnedNamespaces, togglePinned } from '../../parts/health/pinned-namespaces'
import { lazyComponent } from '../../ui/page/lazy-component'
import { RelativeTime } from '../../ui/text/RelativeTime'
import { HomeCardFrame } from './HomeCardFrame'

const PolicyDatesBadge = lazyComponent(() => import('../../parts/policy/PolicyDatesBadge'), 'PolicyDatesBadge')

/** Each namespace with its policy dates costs lists and logs: the first ones. */
const mostWithDates = 3

/** The page of namespaces has the others. Those that are pinned are always listed. */
const mostLines = 20

interface NamespaceHealthCardProps {
  health: readonly Health[]
  /** How many namespaces were not looked at. */
  others: number
  /** Whether anything has been read yet. */
  isKnown: boolean
}

/** A line for each namespace, up to a limit: pinned ones first, then the worst. */
export function NamespaceHealthCard({ health, others, isKnown }: NamespaceHealthCardProps) {
  const pinned = useStore(pinnedNamespaces)
  const hasMonitor = useFlag('release-monitor')
  const isPinned = ({ name }: Health) => pinned.includes(name)
  const ordered = [...health.filter(isPinned), ...health.filter((each) => !isPinned(each))]
  const lines = ordered.slice(0, Math.max(mostLines, health.filter(isPinned).length))
  return (
    <HomeCardFrame title="Your namespaces">
      {!isKnown && <Skeleton screenreaderText="Loading the state of your namespaces" />}
      {isKnown && (
        <ul className="slipway-home-lines" role="list">
          {lines.map((each, index) => (
            <HealthLine
              key={each.name}
              health={each}
              isPinned={isPinned(each)}
              hasPolicyDates={index < mostWithDates}
            />
          ))}
        </ul>
      )}
      {lines.length > mostWithDates && (
        <p className="slipway-home-card__gap">
          Dates of policies are read for the first {mostWithDates} namespaces. Pinned ones come first.
        </p>
      )}
      {isKnown && lines.length < health.length && (
        <p className="slipway-home-card__gap">
          The first {lines.length} of {health.length.toLocaleString('en-US')}: pinned ones, and then the worst.
        </p>
      )}
      {others > 0 && (
        <p className="slipway-home-card__gap">
          {others === 1 ? '1 other namespace was' : `${others.toLocaleString('en-US')} other namespaces were`} not
          looked at, since this cluster has no service for list views. Pin or open one to see it here.
        </p>
      )}
      <p className="slipway-home-card__links">
        <Link to={paths.namespaces()}>View my namespaces</Link>
        {hasMonitor && <Link to={paths.releaseMonitor()}>Release Monitor Board</Link>}
      </p>
    </HomeCardFrame>
  )
}

interface HealthLineProps {
  health: Health
  isPinned: boolean
  hasPolicyDates: boolean
}

function HealthLine({ health, isPinned, hasPolicyDates }: HealthLineProps) {
  const { name: namespace, state, failing, heldBack, running, lastRelease } = health
  const hasFacts = failing + heldBack + running > 0
  return (
    <li>
      <Button
        variant="plain"
        size="sm"
        isInline
        aria-label={`Pin ${namespace}`}
        aria-pressed={isPinned}
        icon={isPinned ? <StarFillIcon /> : <StarIcon />}
        onClick={() => togglePinned(namespace)}
      />{' '}
      <Link to={paths.applications({ namespace })}>{namespace}</Link> <HealthLabel state={state} />{' '}
      <span className="slipway-home-lines__place">
        <HealthFacts health={health} />
        {lastRelease && (
          <>
            {hasFacts && ' · '}last release <RelativeTime time={lastRelease.status?.completionTime} />
          </>
        )}
      </span>
      {hasPolicyDates && (
        <div className="slipway-home-lines__why">
          <PolicyDatesBadge namespace={namespace} />
        </div>
      )}
    </li>
  )
}

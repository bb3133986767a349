import { useFlag } from '../../api/flags/flags'
import { paths } from '../../paths'
import { discussionsUrl } from '../../product'
import { ButtonLink } from '../../ui/actions/ButtonLink'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { AboutCard } from './AboutCard'
import { IntroBanner } from './IntroBanner'
import { LinkCard } from './LinkCard'
import { StatusPageCard } from './StatusPageCard'
import './overview.css'

/** What the product is and where to start, for users who have no namespace yet. */
export function Introduction() {
  const hasMonitor = useFlag('release-monitor')
  return (
    <div className="slipway-overview">
      <IntroBanner />
      <LinkCard
        title="Get started"
        text="What your team builds, tests and releases is in its namespace."
        link={
          <div className="slipway-overview__links">
            <ButtonLink to={paths.namespaces()}>View my namespaces</ButtonLink>
            {hasMonitor && (
              <ButtonLink variant="secondary" to={paths.releaseMonitor()}>
                Release Monitor Board
              </ButtonLink>
            )}
          </div>
        }
      />
      <AboutCard />
      <div className="slipway-overview__contacts">
        <LinkCard
          title="Contact us"
          text="Ask, report problems or suggest changes in our discussions."
          link={<ExternalLink href={discussionsUrl}>Open discussions</ExternalLink>}
        />
        <StatusPageCard />
      </div>
    </div>
  )
}

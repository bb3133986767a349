import { Gallery, Grid, GridItem } from '@patternfly/react-core'
import { useFlag } from '../../api/flags/flags'
import { paths } from '../../paths'
import { discussionsUrl } from '../../product'
import { publicInfo } from '../../resources/public-info'
import { ButtonLink } from '../../ui/actions/ButtonLink'
import { lazyComponent } from '../../ui/page/lazy-component'
import { Page } from '../../ui/page/Page'
import { route } from '../../ui/page/route'
import { AboutCard } from './AboutCard'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { IntroBanner } from './IntroBanner'
import { LinkCard } from './LinkCard'
import { StatusPageCard } from './StatusPageCard'
import './overview.css'

// Most platforms have no tour.
const TourCard = lazyComponent(() => import('./TourCard'), 'TourCard')

export const page = route(paths.overview, () => ({ read: [publicInfo.get()] }))

export { OverviewPage as Component }
function OverviewPage() {
  const hasMonitor = useFlag('release-monitor')
  return (
    <Page title="Overview">
      <Grid hasGutter>
        <TourCard />
        <GridItem xl={8}>
          <IntroBanner />
        </GridItem>
        <GridItem xl={4}>
          <LinkCard
            title="Get started"
            text="Your team's applications, builds, tests and releases live in its namespace."
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
        </GridItem>
        <GridItem>
          <AboutCard />
        </GridItem>
        <GridItem>
          <Gallery hasGutter minWidths={{ default: '100%', md: '20rem' }}>
            <LinkCard
              title="Contact us"
              text="Ask questions, report problems or suggest changes in our public discussions."
              link={<ExternalLink href={discussionsUrl}>Open discussions</ExternalLink>}
            />
            <StatusPageCard />
          </Gallery>
        </GridItem>
      </Grid>
    </Page>
  )
}

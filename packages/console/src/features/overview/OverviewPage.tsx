import type { Namespace } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { asSentence, failureText } from '../../api/messages'
import { useList } from '../../api/source'
import { paths } from '../../paths'
import { namespaces } from '../../resources/namespaces'
import { publicInfo } from '../../resources/public-info'
import { FrameButton } from '../../ui/actions/FrameButton'
import { ChunkLoadAlert, lazyComponent } from '../../ui/page/lazy-component'
import { Page } from '../../ui/page/Page'
import { route } from '../../ui/page/route'
import { FrameAlert } from '../../ui/status/FrameAlert'
import { HomeSkeleton } from './HomeSkeleton'

// Most platforms have no tour.
const TourCard = lazyComponent(() => import('./TourCard'), 'TourCard')

// Shown only to users without a namespace.
const Introduction = lazyComponent(() => import('./Introduction'), 'Introduction', {
  Loading: HomeSkeleton,
  Missing: ChunkLoadAlert,
})

// Three times what the frame needs, and of no use to users without a namespace.
const loadHome = () => import('./Home')
const connectViews = () => import('../../api/views/open-view').then((views) => views.connectViews())
const Home = lazyComponent(loadHome, 'Home', { Loading: HomeSkeleton, Missing: ChunkLoadAlert })

export const page = route(paths.overview, () => ({
  read: [publicInfo.get(), namespaces.list()],
  parts: [loadHome, connectViews],
}))

export { OverviewPage as Component }
/** What needs the user, in all of the user's namespaces; without a namespace, what the product is. */
function OverviewPage() {
  const { rows, error, retry } = useList(namespaces.list(), 'namespaces')
  return (
    <Page title="Overview">
      <TourCard />
      {error && (
        <FrameAlert
          variant="warning"
          title="Your namespaces could not be read"
          className="pf-m-inline"
          action={
            <FrameButton variant="link" className="pf-m-inline" onClick={retry}>
              Try again
            </FrameButton>
          }
        >
          {asSentence(failureText(error))}
        </FrameAlert>
      )}
      {content(rows, error !== null)}
    </Page>
  )
}

function content(rows: readonly Namespace[] | undefined, hasFailed: boolean) {
  if (!rows && !hasFailed) return <HomeSkeleton />
  return rows && rows.length > 0 ? <Home all={rows.map(nameOf)} /> : <Introduction />
}

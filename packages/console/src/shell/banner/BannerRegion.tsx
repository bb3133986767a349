import { Banner } from '@patternfly/react-core'
import { activeBanner, hasWindow } from '@slipway/model/platform/banner'
import { useQuery } from '@tanstack/react-query'
import { banners } from '../../resources/banners'
import { MarkdownLine } from '../../ui/text/Markdown'
import { useNow } from '../../ui/text/now'
import { useBannerOffset } from './banner-offset'
import './banner.css'

const secondMs = 1_000

/** Shows the active banner of the platform's operators. Says nothing if it cannot be read. */
export function BannerRegion() {
  const { data = none } = useQuery(banners.list())
  const now = useNow(data.some(hasWindow) ? secondMs : false)
  const banner = activeBanner(data, new Date(now))
  // Always rendered, since a live region that appears together with its content is not announced.
  return <div aria-live="polite">{banner && <ShownBanner type={banner.type} summary={banner.summary} />}</div>
}

const none: never[] = []
const names = { info: 'Information', warning: 'Warning', danger: 'Danger' } as const

function ShownBanner({ type, summary }: { type: keyof typeof names; summary: string }) {
  const ref = useBannerOffset()
  return (
    <section ref={ref} aria-label="Banner">
      <Banner status={type} screenReaderText={`${names[type]}: `} className="slipway-banner">
        <MarkdownLine text={summary} />
      </Banner>
    </section>
  )
}

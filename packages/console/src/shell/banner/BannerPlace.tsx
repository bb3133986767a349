import { Banner } from '@patternfly/react-core'
import { activeBanner, hasWindow } from '@slipway/model/banner'
import { useQuery } from '@tanstack/react-query'
import { banners } from '../../resources/banners'
import { useNow } from '../../ui/now'
import { useRoomAbove } from './room-above'

const secondMs = 1_000

/** What the operators of the platform want everybody to read, while it counts. Without a word when it cannot be read. */
export function BannerPlace() {
  const { data = none } = useQuery(banners.list())
  const now = useNow(data.some(hasWindow) ? secondMs : false)
  const banner = activeBanner(data, new Date(now))
  return banner ? <ShownBanner type={banner.type} summary={banner.summary} /> : null
}

const none: never[] = []
const names = { info: 'Information', warning: 'Warning', danger: 'Danger' } as const

function ShownBanner({ type, summary }: { type: keyof typeof names; summary: string }) {
  const ref = useRoomAbove()
  return (
    <section ref={ref} aria-label="Banner" aria-live="polite">
      <Banner status={type} screenReaderText={`${names[type]}: `} className="slipway-banner">
        {summary}
      </Banner>
    </section>
  )
}

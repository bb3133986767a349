import { Banner, Button } from '@patternfly/react-core'
import { activeBanner, hasWindow } from '@slipway/model/platform/banner'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Lens, lens } from '../../api/client'
import { banners } from '../../resources/banners'
import { MarkdownLine } from '../../ui/text/Markdown'
import { useNow } from '../../ui/text/now'
import { useBannerOffset } from './banner-offset'
import './banner.css'

const secondMs = 1_000

/**
 * Shows the active banner of the platform's operators, and which role the console is viewed as. Says nothing if the banner
 * cannot be read.
 */
export function BannerRegion() {
  const { data = none } = useQuery(banners.list())
  const now = useNow(data.some(hasWindow) ? secondMs : false)
  const banner = activeBanner(data, new Date(now))
  // Always rendered, since a live region that appears together with its content is not announced.
  return (
    <div aria-live="polite">
      {(banner || lens) && (
        <AboveFrame>
          {lens && <RoleBanner {...lens} />}
          {banner && <ShownBanner type={banner.type} summary={banner.summary} />}
        </AboveFrame>
      )}
    </div>
  )
}

const none: never[] = []
const names = { info: 'Information', warning: 'Warning', danger: 'Danger' } as const

const AboveFrame = ({ children }: { children: ReactNode }) => <div ref={useBannerOffset()}>{children}</div>

interface ShownBannerProps {
  type: keyof typeof names
  summary: string
}

const ShownBanner = ({ type, summary }: ShownBannerProps) => (
  <section aria-label="Banner">
    <Banner status={type} screenReaderText={`${names[type]}: `} className="slipway-banner">
      <MarkdownLine text={summary} />
    </Banner>
  </section>
)

const endView = () => void import('../../api/access/role-lens').then(({ viewAs }) => viewAs(undefined))

const RoleBanner = ({ role, isExact }: Lens) => (
  <section aria-label="Viewed role">
    <Banner color="purple" className="slipway-banner">
      Viewed as {role}. Nothing can be changed.
      {!isExact && ' You may lack some of its rights: what you may not read yourself is not shown.'}{' '}
      <Button variant="link" isInline onClick={endView}>
        End
      </Button>
    </Banner>
  </section>
)

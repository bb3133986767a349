import { Button } from '@patternfly/react-core'
import DownIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-arrow-down-icon'
import { useState } from 'react'

/** Goes on with a log that grows; drawn only while nobody follows it. */
export function FollowButton({ lineCount, onFollow }: { lineCount: number; onFollow: () => void }) {
  // When it is first drawn, following has just ended.
  const [pausedAt] = useState(lineCount)
  const news = lineCount - pausedAt
  return (
    <Button className="slipway-log__follow" variant="secondary" size="sm" icon={<DownIcon />} onClick={onFollow}>
      Follow{news > 0 ? ` (${news.toLocaleString('en')} new)` : ''}
    </Button>
  )
}

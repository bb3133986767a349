import { Button } from '@patternfly/react-core'
import DownIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-arrow-down-icon'
import { useState } from 'react'

/** Resumes following a growing log; shown only while it is not followed. */
export function FollowButton({ lineCount, onFollow }: { lineCount: number; onFollow: () => void }) {
  // On the first render, following has just stopped.
  const [pausedAt] = useState(lineCount)
  const newLines = lineCount - pausedAt
  return (
    <Button className="slipway-log__follow" variant="secondary" size="sm" icon={<DownIcon />} onClick={onFollow}>
      Follow{newLines > 0 ? ` (${newLines.toLocaleString('en')} new)` : ''}
    </Button>
  )
}

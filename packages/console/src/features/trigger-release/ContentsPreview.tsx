import { ExpandableSection } from '@patternfly/react-core'
import { useState } from 'react'
import type { ApplicationParams } from '../../paths'
import { ReleaseContents } from '../../parts/releases/ReleaseContents'
import { unwrittenRelease } from './unwritten-release'

interface ContentsPreviewProps {
  releasePlan: string
  snapshot: string
  /** The application of both. */
  at: ApplicationParams
}

/** What the release would contain that the previous one of its plan did not; nothing is read before it is opened. */
export function ContentsPreview({ releasePlan, snapshot, at }: ContentsPreviewProps) {
  const [isExpanded, setIsExpanded] = useState(false)
  return (
    <ExpandableSection
      toggleText="Contents"
      isExpanded={isExpanded}
      onToggle={(_, expanded) => setIsExpanded(expanded)}
    >
      {isExpanded && <ReleaseContents release={unwrittenRelease(at.namespace, releasePlan, snapshot)} at={at} />}
    </ExpandableSection>
  )
}

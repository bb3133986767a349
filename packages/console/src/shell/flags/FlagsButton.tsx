import ExperimentIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-experimental-icon'
import { useState } from 'react'
import { FrameButton } from '../../ui/actions/FrameButton'
import { lazyComponent, ChunkLoadAlert } from '../../ui/page/lazy-component'

const FlagsDialog = lazyComponent(() => import('./FlagsDialog'), 'FlagsDialog', {
  Missing: ChunkLoadAlert,
})

export function FlagsButton() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <FrameButton
        variant="plain"
        aria-label="Experimental features"
        title="Experimental features"
        aria-haspopup="dialog"
        icon={<ExperimentIcon />}
        onClick={() => setIsOpen(true)}
      />
      {isOpen && <FlagsDialog onClose={() => setIsOpen(false)} />}
    </>
  )
}

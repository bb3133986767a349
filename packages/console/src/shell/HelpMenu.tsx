import HelpIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-question-mark-circle-icon'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { useNavigate } from 'react-router'
import { useStore } from '../lib/store'
import { tourQuery } from '../parts/tour/tour'
import { showStep, tourProgress } from '../parts/tour/tour-progress'
import { MenuButton } from '../ui/actions/MenuButton'
import { lazyComponent } from '../ui/page/lazy-component'
import { show } from './palette/overlay'

const TourPanel = lazyComponent(() => import('./tour/TourPanel'), 'TourPanel')
/** Contains the page; the tour is below it. */
const frame = '.slipway-frame__main'

/**
 * Where users find the keyboard shortcuts, what to report with a problem, and the tour again where there is one. It
 * renders the tour too, so that the first load contains nothing of it.
 */
export function HelpMenu() {
  const navigate = useNavigate()
  // Most users never open it.
  const [isNear, setIsNear] = useState(false)
  const { data: steps = [] } = useQuery({ ...tourQuery, enabled: isNear })
  const isTouring = typeof useStore(tourProgress) === 'number'
  const approach = () => setIsNear(true)
  return (
    <span onPointerEnter={approach} onFocus={approach}>
      {isTouring && createPortal(<TourPanel />, document.querySelector(frame) ?? document.body)}
      <MenuButton
        label="Help"
        title="Help"
        icon={<HelpIcon />}
        choices={[
          { label: 'Keyboard shortcuts', onSelect: () => show('keys') },
          { label: 'Report a problem', onSelect: () => show('problem') },
          ...(steps.length > 0 ? [{ label: 'Take the tour', onSelect: () => showStep(steps, 0, navigate) }] : []),
        ]}
      />
    </span>
  )
}

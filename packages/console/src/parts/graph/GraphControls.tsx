import { Button } from '@patternfly/react-core'
import FitIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-expand-arrows-icon'
import ZoomInIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-zoom-in-icon'
import ZoomOutIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-zoom-out-icon'
import { Panel, useReactFlow } from '@xyflow/react'
import type { ReactNode } from 'react'
import { useMediaQuery } from '../../ui/page/media-query'

const animationMs = 200

interface GraphControlsProps {
  onMove: () => void
  onFit: () => void
}

/** Buttons for what the mouse wheel and touch gestures do. */
export function GraphControls({ onMove, onFit }: GraphControlsProps) {
  const { zoomIn, zoomOut, fitView } = useReactFlow()
  const isStill = useMediaQuery('(prefers-reduced-motion: reduce)')
  const duration = isStill ? 0 : animationMs
  return (
    <Panel position="bottom-left" className="slipway-graph__controls">
      <Control
        label="Zoom in"
        icon={<ZoomInIcon />}
        onClick={() => {
          onMove()
          void zoomIn({ duration })
        }}
      />
      <Control
        label="Zoom out"
        icon={<ZoomOutIcon />}
        onClick={() => {
          onMove()
          void zoomOut({ duration })
        }}
      />
      <Control
        label="Fit to screen"
        icon={<FitIcon />}
        onClick={() => {
          onFit()
          void fitView({ duration, maxZoom: 1, padding: 0.05 })
        }}
      />
    </Panel>
  )
}

const Control = ({ label, ...props }: { label: string; icon: ReactNode; onClick: () => void }) => (
  <Button variant="control" aria-label={label} title={label} {...props} />
)

import { Button } from '@patternfly/react-core'
import FitIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-expand-arrows-icon'
import ZoomInIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-zoom-in-icon'
import ZoomOutIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-zoom-out-icon'
import { Panel, useReactFlow } from '@xyflow/react'
import { useMediaQuery } from '../page/media-query'

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
      <Button
        variant="control"
        aria-label="Zoom in"
        title="Zoom in"
        icon={<ZoomInIcon />}
        onClick={() => {
          onMove()
          void zoomIn({ duration })
        }}
      />
      <Button
        variant="control"
        aria-label="Zoom out"
        title="Zoom out"
        icon={<ZoomOutIcon />}
        onClick={() => {
          onMove()
          void zoomOut({ duration })
        }}
      />
      <Button
        variant="control"
        aria-label="Fit to screen"
        title="Fit to screen"
        icon={<FitIcon />}
        onClick={() => {
          onFit()
          void fitView({ duration, maxZoom: 1, padding: 0.05 })
        }}
      />
    </Panel>
  )
}

import { Tooltip, type TooltipProps } from '@patternfly/react-core'
import { useOverlayContainer } from '../ui/page/overlay-container'

/** Tooltip that says why a sidebar link is disabled. */
export const NoNamespaceHint = (props: Pick<TooltipProps, 'triggerRef' | 'isVisible'>) => (
  <Tooltip
    {...props}
    content="Select a namespace first"
    position="right"
    appendTo={useOverlayContainer()}
    aria-live="off"
  />
)

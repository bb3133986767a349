import { Tooltip, type TooltipProps } from '@patternfly/react-core'
import { overlayContainer } from '../ui/page/overlay-container'

/** Tooltip that says why a sidebar link is disabled. */
export const NoNamespaceHint = (props: Pick<TooltipProps, 'triggerRef' | 'isVisible'>) => (
  <Tooltip {...props} content="Select a namespace first" position="right" appendTo={overlayContainer} aria-live="off" />
)

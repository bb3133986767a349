import { Alert, Button } from '@patternfly/react-core'
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'

/**
 * A part that is fetched when it is first drawn. One that does not arrive never takes the page with it.
 * @param Missing drawn in place of a part that did not arrive; nothing by itself, for parts that nobody has asked for
 */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { Missing = Nothing }: { Missing?: (props: P) => ReactNode } = {},
) {
  const Part = lazy(() =>
    load().then(
      (component) => ({ default: component }),
      (): { default: ComponentType<P> } => ({ default: Missing }),
    ),
  )
  return (props: P) => (
    <Suspense>
      <Part {...props} />
    </Suspense>
  )
}

const Nothing = () => null

/** In place of a part that somebody has asked for. */
export const ChunkLoadAlert = () => (
  <Alert
    variant="danger"
    component="p"
    isLiveRegion
    title="An unknown error occurred."
    className="slipway-toast"
    actionLinks={
      <Button variant="link" isInline onClick={() => location.reload()}>
        Reload Page
      </Button>
    }
  >
    This part of the console could not be loaded.
  </Alert>
)

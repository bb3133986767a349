import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { FrameButton } from '../actions/FrameButton'
import { FrameAlert } from '../status/FrameAlert'

/**
 * A component that is fetched when it is first rendered. If it cannot be loaded, the rest of the page stays.
 * @param name of the export
 * @param Missing rendered in its place if it cannot be loaded; nothing by default, for parts that no user asked for
 * @param Loading rendered in its place until it has been loaded; nothing by default
 */
export function lazyComponent<Name extends string, Module extends Record<Name, (props: never) => ReactNode>>(
  load: () => Promise<Module>,
  name: Name,
  {
    Missing = Nothing,
    Loading = Nothing,
  }: { Missing?: (props: Parameters<Module[Name]>[0]) => ReactNode; Loading?: () => ReactNode } = {},
): Module[Name] {
  // `lazy` would lose the type parameters of a generic component, so the types are those of the export from here on.
  const Part = lazy(() =>
    load()
      .then((module): unknown => module[name])
      .catch(() => Missing)
      .then((component) => ({ default: component as ComponentType })),
  )
  const LazyPart = (props: object) => (
    <Suspense fallback={<Loading />}>
      <Part {...props} />
    </Suspense>
  )
  return LazyPart as unknown as Module[Name]
}

const Nothing = () => null

/** Shown in place of a component that the user asked for, if it cannot be loaded. */
export const ChunkLoadAlert = () => (
  <FrameAlert
    variant="danger"
    title="An unknown error occurred."
    className="slipway-toast"
    action={
      <FrameButton variant="link" className="pf-m-inline" onClick={() => location.reload()}>
        Reload Page
      </FrameButton>
    }
  >
    This part of the console could not be loaded.
  </FrameAlert>
)

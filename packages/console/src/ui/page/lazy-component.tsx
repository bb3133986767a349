import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
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
): Module[Name] & FetchedAhead {
  let fetched: ComponentType | undefined
  // `lazy` would lose the type parameters of a generic component, so the types are those of the export from here on.
  const fetch = async () => (fetched ??= (await load())[name] as unknown as ComponentType)
  const Part = lazy(async () => ({ default: await fetch().catch(() => Missing as ComponentType) }))
  function LazyPart(props: object) {
    // Decided once: the component would lose its state in another place.
    const [Fetched] = useState(() => fetched)
    return Fetched ? (
      <Fetched {...props} />
    ) : (
      <Suspense fallback={<Loading />}>
        <Part {...props} />
      </Suspense>
    )
  }
  // One that could not be fetched is fetched again when it is rendered.
  const fetchAhead = () => void fetch().catch(() => undefined)
  return Object.assign(LazyPart as unknown as Module[Name], { fetchAhead })
}

interface FetchedAhead {
  /** Fetches the component before it is needed. It is then rendered at once, with the content around it. */
  fetchAhead: () => void
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

import { hashKey } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useId, useState } from 'react'
import type { FreshnessPart, MissingPart } from '../api/source'
import { createStore, type Store, useStore } from '../lib/store'
import { useLatest } from '../lib/use-latest'

/** A part of a page that is read separately, such as an object or a table: what its badge reads. */
export interface RegisteredPanel {
  /** What it shows, such as `Task runs`. */
  label: string
  /** Its queries, of which the least fresh one counts. */
  parts: readonly FreshnessPart[]
  /** The archive of its older data, if it shows any. */
  archive?: string | undefined
  /** The object itself comes from the archive, since the cluster no longer has it. */
  isArchived: boolean
  /** Parts of it that could not be read. */
  missing: readonly MissingPart[]
  retry: () => void
}

type Panels = ReadonlyMap<string, RegisteredPanel>

const PanelsContext = createContext<Store<Panels> & { set: (panels: Panels) => void }>(createStore<Panels>(new Map()))

/** A page, whose one badge stands for all panels inside. */
export function FreshnessScope({ children }: { children: ReactNode }) {
  const [panels] = useState(() => createStore<Panels>(new Map()))
  return <PanelsContext value={panels}>{children}</PanelsContext>
}

/** The panels of the page, in the order in which they appeared. */
export const usePanels = (): readonly RegisteredPanel[] => [...useStore(useContext(PanelsContext)).values()]

interface FreshnessReporterProps {
  /** What the panel shows, such as `Task runs`. */
  label: string
  /** The queries of the panel. */
  freshness: readonly FreshnessPart[]
  onRetry: () => void
  archive?: string | undefined
  isArchived?: boolean | undefined
  missing?: readonly MissingPart[]
}

/** Registers the queries of a panel with the one badge of its page, which reads how fresh they are. It shows nothing itself. */
export function FreshnessReporter(props: FreshnessReporterProps) {
  const id = useId()
  const panels = useContext(PanelsContext)
  const latest = useLatest(props)
  // Equal parts are registered once, although every render brings new ones.
  const key = JSON.stringify([
    [props.label, props.archive, props.isArchived],
    props.freshness.map(({ queryKey, readBy }) => hashKey([queryKey, readBy])),
    props.missing?.map(({ name, error, isRetrying }) => [name, error.message, isRetrying]),
  ])
  useEffect(() => {
    const { label, freshness: parts, archive, isArchived = false, missing = [] } = latest.current
    const panel = { label, parts, archive, isArchived, missing, retry: () => latest.current.onRetry() }
    panels.set(new Map(panels.get()).set(id, panel))
  }, [panels, id, key, latest])
  useEffect(() => () => panels.set(new Map([...panels.get()].filter(([each]) => each !== id))), [panels, id])
  return null
}

import { hashKey } from '@tanstack/react-query'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useId, useState } from 'react'
import { type Freshness, useFreshness } from '../api/live/freshness'
import type { FreshnessPart, MissingPart } from '../api/source'
import { useKeyed } from '../lib/use-keyed'
import { useLatest } from '../lib/use-latest'

/** A part of a page that is read separately, such as an object or a table, and how fresh it is. */
export interface Panel {
  /** What it shows, such as `Task runs`. */
  label: string
  freshness: Freshness
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

type Panels = ReadonlyMap<string, Panel>
/** @param panel `undefined` once it is no longer shown */
type Report = (id: string, panel: Panel | undefined) => void

const PanelsContext = createContext<Panels>(new Map())
const ReportContext = createContext<Report>(() => undefined)

/** A page, whose one badge stands for all panels inside. */
export function FreshnessScope({ children }: { children: ReactNode }) {
  const [panels, setPanels] = useState<Panels>(new Map())
  const report = useCallback<Report>((id, panel) => {
    setPanels((before) => {
      const next = new Map(before)
      if (panel) next.set(id, panel)
      else next.delete(id)
      return next
    })
  }, [])
  return (
    <ReportContext value={report}>
      <PanelsContext value={panels}>{children}</PanelsContext>
    </ReportContext>
  )
}

/** The panels of the page, in the order in which they appeared. */
export const usePanels = (): readonly Panel[] => [...useContext(PanelsContext).values()]

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

/** Reports how fresh a panel is to the one badge of its page; it shows nothing itself. */
export function FreshnessReporter(props: FreshnessReporterProps) {
  const { label, onRetry, archive, isArchived = false } = props
  const id = useId()
  const report = useContext(ReportContext)
  const freshness = useFreshness(props.freshness)
  const latestRetry = useLatest(onRetry)
  // Equal arrays are reported once, although every render brings new ones.
  const parts = useKeyed(props.freshness.map(({ queryKey }) => hashKey(queryKey)).join('\n'), () => props.freshness)
  const missing = useKeyed(
    props.missing?.map(({ name, error, isRetrying }) => `${name} ${isRetrying}: ${error.message}`).join('\n'),
    () => props.missing ?? none,
  )
  useEffect(
    () => report(id, { label, freshness, parts, archive, isArchived, missing, retry: () => latestRetry.current() }),
    [report, id, label, freshness, parts, archive, isArchived, missing, latestRetry],
  )
  useEffect(() => () => report(id, undefined), [report, id])
  return null
}

const none: never[] = []

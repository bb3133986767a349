import { createContext, type ReactNode, useCallback, useContext, useEffect, useId, useRef, useState } from 'react'
import type { QueryKey } from '@tanstack/react-query'
import { type Freshness, useFreshness } from '../api/live/freshness'

/** A part of a page that is read by itself, such as an object or a table, and how far it may be trusted. */
export interface Panel {
  /** What it shows, such as `Task runs`. */
  label: string
  freshness: Freshness
  /** Which archive the past comes from, where it is shown too. */
  archive?: string | undefined
  /** The object itself comes from the archive: the cluster has it no more. */
  isArchived: boolean
  /** Why a part of what there is is missing. */
  partial?: Error | null | undefined
  retry: () => void
}

type Panels = ReadonlyMap<string, Panel>
/** @param panel `undefined` once it is no longer shown */
type Report = (id: string, panel: Panel | undefined) => void

const PanelsContext = createContext<Panels>(new Map())
const ReportContext = createContext<Report>(() => undefined)

/** A page, whose one badge speaks for all panels inside. */
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

/** The panels of the page, in the order in which they came. */
export const usePanels = (): readonly Panel[] => [...useContext(PanelsContext).values()]

interface FreshnessBadgeProps {
  /** What the panel shows, such as `Task runs`. */
  label: string
  query: { queryKey: QueryKey }
  onRetry: () => void
  archive?: string | undefined
  isArchived?: boolean | undefined
  partial?: Error | null | undefined
}

/** Reports how fresh a panel is to the one badge of its page; it shows nothing itself. */
export function FreshnessBadge({ label, query, onRetry, archive, isArchived = false, partial }: FreshnessBadgeProps) {
  const id = useId()
  const report = useContext(ReportContext)
  const freshness = useFreshness(query)
  const latestRetry = useRef(onRetry)
  useEffect(() => {
    latestRetry.current = onRetry
  })
  useEffect(
    () => report(id, { label, freshness, archive, isArchived, partial, retry: () => latestRetry.current() }),
    [report, id, label, freshness, archive, isArchived, partial],
  )
  useEffect(() => () => report(id, undefined), [report, id])
  return null
}

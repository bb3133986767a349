import { useEffect } from 'react'
import { setDocumentStatus } from '../../ui/page/document-title'
import { useLastKnown } from '../../ui/status/last-known'
import { type StatusWord, statusText, toneOf } from './StatusLabel'

type Tone = NonNullable<ReturnType<typeof toneOf>>

/** On a square of 32: a shape for each tone, since colors alone do not tell them apart. */
const marks: Record<Tone, { color: string; mark: string }> = {
  success: { color: '#3d7317', mark: 'M9 17l5 5 9-11' },
  danger: { color: '#b1380b', mark: 'M11 11l10 10M21 11L11 21' },
  warning: { color: '#96640f', mark: 'M16 8v10M16 23v.1' },
  info: { color: '#5e40be', mark: 'M16 8a8 8 0 1 1-8 8' },
  custom: { color: '#147878', mark: 'M9 16h14' },
}

const iconOf = (tone: Tone): string => {
  const { color, mark } = marks[tone]
  const circle = `<circle cx="16" cy="16" r="15" fill="${color}"/>`
  const path = `<path d="${mark}" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${circle}${path}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/**
 * Shows the status of the object of a page in the browser's tab: in words before the title, and as an icon. Nothing of
 * it is shown while the data is stale.
 */
export function useTabStatus(status: StatusWord, verdict: StatusWord = status): void {
  const isCurrent = useLastKnown() === undefined
  const words = isCurrent ? statusText(status, verdict) : ''
  const tone = isCurrent ? toneOf(verdict) : undefined
  useEffect(() => {
    setDocumentStatus(words)
    return () => setDocumentStatus('')
  }, [words])
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (!icon || !tone) return
    const { href } = icon
    icon.href = iconOf(tone)
    return () => void (icon.href = href)
  }, [tone])
}

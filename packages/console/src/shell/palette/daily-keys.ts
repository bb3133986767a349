import { paths } from '../../paths'
import type { PageShortcut } from '../../ui/page/page-shortcuts'

/** What a single key does on every page, beside those of `ui/page/keys.ts`. */
export type DailyKey = 'next row' | 'previous row' | 'select row' | 'screen' | undefined

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'isComposing'>

/** The meaning of a key that no field, dialog or menu takes for itself. `screen` waits for the letter of a screen. */
export function dailyKeyFor({ key, ctrlKey, metaKey, altKey, shiftKey, isComposing }: Pressed): DailyKey {
  if (ctrlKey || metaKey || altKey || shiftKey || isComposing) return undefined
  if (key === 'j') return 'next row'
  if (key === 'k') return 'previous row'
  if (key === 'x') return 'select row'
  return key === 'g' ? 'screen' : undefined
}

interface LetteredScreen {
  letter: string
  label: string
  /** @param namespace the current one, or the last used one */
  pathOf: (namespace: string | undefined) => string | undefined
}

const within =
  (path: (at: { namespace: string }) => string): LetteredScreen['pathOf'] =>
  (namespace) =>
    namespace === undefined ? undefined : path({ namespace })

const screens: readonly LetteredScreen[] = [
  { letter: 'o', label: 'overview', pathOf: () => paths.overview() },
  { letter: 'n', label: 'namespaces', pathOf: () => paths.namespaces() },
  { letter: 'a', label: 'applications', pathOf: within(paths.applications) },
  { letter: 'c', label: 'components', pathOf: within(paths.allComponents) },
  { letter: 'r', label: 'pipeline runs', pathOf: within(paths.pipelineRuns) },
  { letter: 'd', label: 'releases', pathOf: within(paths.releaseArea) },
  { letter: 's', label: 'secrets', pathOf: within(paths.secrets) },
  { letter: 'u', label: 'user access', pathOf: within(paths.access) },
]

/** The path of the screen that `g` and a letter lead to. */
export const screenAt = (letter: string, namespace: string | undefined): string | undefined =>
  screens.find((screen) => screen.letter === letter)?.pathOf(namespace)

/** How long `g` waits for its letter. */
export const letterWithinMs = 1500

export const dailyKeys: readonly PageShortcut[] = [
  { keys: ['J'], description: 'Next row' },
  { keys: ['K'], description: 'Previous row' },
  { keys: ['Enter'], description: 'Open the row' },
  { keys: ['X'], description: 'Select the row, or clear its selection' },
  ...screens.map(({ letter, label }) => ({ keys: ['G', letter.toUpperCase()], description: `Go to ${label}` })),
]

/** Moves the focus to the link of the row after or before the one that has it; to that of the first row at the start. */
export function focusRow(step: 1 | -1): boolean {
  const links = rows().flatMap((row) => linkOf(row) ?? [])
  const current = rowWithFocus()
  const from = current ? links.findIndex((link) => current.contains(link)) : -1
  const link = current ? links[from + step] : links[0]
  link?.focus()
  return link !== undefined
}

/** Ticks the row that has the focus, or clears its tick. */
export function toggleRow(): boolean {
  const box = rowWithFocus()?.querySelector<HTMLInputElement>('.pf-v6-c-table__check input')
  box?.click()
  return Boolean(box)
}

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('main .slipway-table__row')]

const rowWithFocus = (): HTMLElement | null | undefined => document.activeElement?.closest('.slipway-table__row')

/** That of its name, or else its first one. */
const linkOf = (row: HTMLElement): HTMLElement | null =>
  row.querySelector<HTMLElement>('th a[href]') ?? row.querySelector<HTMLElement>('a[href]')

import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { lazyComponent, ChunkLoadAlert } from '../../ui/page/lazy-component'
import { isTypingIn, keyTakers, singleKeys, shortcutFor } from '../../ui/page/keys'
import { useLatest } from '../../lib/use-latest'
import { namespaceInPath } from '../../paths'
import { lastUsedNamespace } from '../../lib/last-used-namespace'
import { dailyKeyFor, focusRow, letterWithinMs, screenAt, toggleRow } from './daily-keys'
import { show, useOverlay } from './overlay'

const CommandPalette = lazyComponent(() => import('./CommandPalette'), 'CommandPalette', {
  Missing: ChunkLoadAlert,
})
const HelpDialog = lazyComponent(() => import('./HelpDialog'), 'HelpDialog', {
  Missing: ChunkLoadAlert,
})

/** Handles the shortcuts that work on every screen. What they open is loaded on first use. */
export function KeyboardShortcuts() {
  const overlay = useOverlay()
  const { key } = useLocation()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const shortcut = shortcutFor(event, { isTyping: isTypingIn(event.target), mayBeSingle: singleKeys.get() })
      if (shortcut === 'palette' && overlay === 'palette') {
        event.preventDefault()
        return show(undefined)
      }
      // Shortcuts do nothing while a dialog is open.
      if (!shortcut || event.defaultPrevented || document.querySelector('[role="dialog"]')) return
      if (shortcut !== 'filter') {
        event.preventDefault()
        return show(shortcut)
      }
      const filter = document.querySelector<HTMLInputElement>(
        'main :is(.slipway-table__filter, .slipway-log__search) input',
      )
      if (!filter) return
      event.preventDefault()
      filter.focus()
      filter.select()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [overlay])
  useDailyKeys()
  // Typed before this code had come, and noted by `preload/frame.ts`.
  useEffect(() => {
    const root = document.getElementById('root')
    if (!root) return
    if (root.dataset.shortcuts === 'palette') show('palette')
    root.dataset.shortcuts = 'ready'
  }, [])
  // Navigation closes what was opened on the previous page.
  useEffect(() => () => show(undefined), [key])
  const close = () => show(undefined)
  if (overlay === 'palette') return <CommandPalette onClose={close} />
  return overlay && <HelpDialog about={overlay} onClose={close} />
}

/** Keys for the rows of a list, and for the screens of the sidebar. Menus and dialogs keep their keys. */
function useDailyKeys(): void {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  /** When `g` was pressed, in the time of events. */
  const waitingSince = useRef(-Infinity)
  const goTo = useLatest((letter: string): boolean => {
    const path = screenAt(letter, namespaceInPath(pathname) ?? lastUsedNamespace.get())
    if (path !== undefined) void navigate(path)
    return path !== undefined
  })
  useEffect(() => {
    const handle = (event: KeyboardEvent): boolean => {
      const isLetter = event.timeStamp - waitingSince.current <= letterWithinMs
      waitingSince.current = -Infinity
      const key = dailyKeyFor(event)
      if (isLetter && !event.ctrlKey && !event.metaKey && !event.altKey) return goTo.current(event.key.toLowerCase())
      if (key === 'screen') waitingSince.current = event.timeStamp
      if (key === 'select row') return toggleRow()
      return key === 'next row' || key === 'previous row' ? focusRow(key === 'next row' ? 1 : -1) : false
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !singleKeys.get() || isTypingIn(event.target)) return
      if (!document.querySelector(keyTakers) && handle(event)) event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [goTo])
}

import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { lazyComponent, ChunkLoadAlert } from '../../ui/page/lazy-component'
import { isTypingIn, singleKeys, shortcutFor } from '../../ui/page/keys'
import { show, useOverlay } from './overlay'

const CommandPalette = lazyComponent(() => import('./CommandPalette'), 'CommandPalette', {
  Missing: ChunkLoadAlert,
})
const KeysDialog = lazyComponent(() => import('./KeysDialog'), 'KeysDialog', {
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
  return overlay === 'keys' && <KeysDialog onClose={close} />
}

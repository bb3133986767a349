import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { lazyComponent, ChunkLoadAlert } from '../../ui/page/lazy-component'
import { isTypingIn, singleKeys, shortcutFor } from './keys'
import { show, useOverlay } from './overlay'

const CommandPalette = lazyComponent(() => import('./CommandPalette'), 'CommandPalette', {
  Missing: ChunkLoadAlert,
})
const KeysDialog = lazyComponent(() => import('./KeysDialog'), 'KeysDialog', {
  Missing: ChunkLoadAlert,
})

/** The keys that work on every screen, and what they open; nothing of it is fetched before it is asked for. */
export function KeyboardShortcuts() {
  const overlay = useOverlay()
  const { key } = useLocation()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const wish = shortcutFor(event, { isTyping: isTypingIn(event.target), mayBeSingle: singleKeys.get() })
      if (wish === 'palette' && overlay === 'palette') {
        event.preventDefault()
        return show(undefined)
      }
      // A dialog has the keyboard to itself.
      if (!wish || event.defaultPrevented || document.querySelector('[role="dialog"][aria-modal="true"]')) return
      if (wish !== 'filter') {
        event.preventDefault()
        return show(wish)
      }
      const filter = document.querySelector<HTMLInputElement>('main .slipway-table__filter input')
      if (!filter) return
      event.preventDefault()
      filter.focus()
      filter.select()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [overlay])
  // Whatever was opened belongs to the page that it was opened on.
  useEffect(() => () => show(undefined), [key])
  const close = () => show(undefined)
  if (overlay === 'palette') return <CommandPalette onClose={close} />
  return overlay === 'keys' && <KeysDialog onClose={close} />
}

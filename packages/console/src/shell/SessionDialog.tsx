import { Button, Content, Title } from '@patternfly/react-core'
import { useEffect, useId, useRef } from 'react'
import { signInUrl } from '../api/session/session'
import { useSessionState } from '../api/session/session-state'
import { paths } from '../paths'

/**
 * Offers to sign in again without replacing the page, so that no input is lost. It is a native dialog, since it must
 * appear at once, above any other open dialog, and even when nothing can be loaded.
 */
export function SessionDialog() {
  const state = useSessionState()
  return state === 'active' ? null : <OpenDialog isSignedOut={state === 'signed-out'} />
}

function OpenDialog({ isSignedOut }: { isSignedOut: boolean }) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    // Remember the focused element, to restore the focus when the dialog closes.
    const focused = document.activeElement
    const stopRevealing = dialog.current && revealed(dialog.current)
    dialog.current?.showModal()
    globalThis.addEventListener('keydown', keepKey, true)
    return () => {
      globalThis.removeEventListener('keydown', keepKey, true)
      stopRevealing?.()
      if (focused instanceof HTMLElement) focused.focus()
    }
  }, [])
  const url = signInUrl({ pathname: paths.signedIn(), search: '', hash: '' })
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className={`slipway-session${isSignedOut ? ' slipway-session--signed-out' : ''}`}
      // The dialog cannot be cancelled: without a session, nothing works.
      onCancel={(event) => event.preventDefault()}
      // Some browsers let `onCancel` prevent closing only once.
      onClose={() => dialog.current?.showModal()}
    >
      <Title id={id} headingLevel="h2">
        {isSignedOut ? 'You have logged out' : 'Your session has ended'}
      </Title>
      <Content component="p">
        {isSignedOut
          ? 'You have logged out in another tab. Sign in again as the same user to continue here.'
          : 'Sign in again to continue. Nothing you typed on this page is lost.'}
      </Content>
      <Button
        component="a"
        href={url}
        target="_blank"
        rel="opener"
        onClick={(event) => {
          // A window that we opened can close itself after signing in.
          if (window.open(url, 'slipway-sign-in', 'popup,width=560,height=720')) event.preventDefault()
        }}
      >
        Sign in again
      </Button>
    </dialog>
  )
}

/** Keeps keys from what is below: Escape would close a dialog there and lose its input. */
const keepKey = (event: KeyboardEvent) => event.stopPropagation()

/**
 * Keeps an element visible to screen readers. Returns a function that stops it. Each time a PatternFly dialog renders,
 * it hides everything outside itself, including this element.
 */
function revealed(element: Element): () => void {
  const hidden = new Set<Element>()
  const reveal = () => {
    for (let at = hiddenAround(element); at; at = hiddenAround(element)) {
      at.removeAttribute('aria-hidden')
      hidden.add(at)
    }
  }
  reveal()
  const observer = new MutationObserver(reveal)
  observer.observe(document.body, { attributeFilter: ['aria-hidden'], subtree: true })
  return () => {
    observer.disconnect()
    if (!document.querySelector('[role="dialog"][aria-modal="true"]')) return
    for (const each of hidden) each.setAttribute('aria-hidden', 'true')
  }
}

const hiddenAround = (element: Element) => element.closest('[aria-hidden="true"]')

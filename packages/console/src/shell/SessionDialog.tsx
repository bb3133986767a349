import { Button, Content, Title } from '@patternfly/react-core'
import { useEffect, useId, useRef } from 'react'
import { signInUrl } from '../api/session/session'
import { useSessionState } from '../api/session/session-state'
import { paths } from '../paths'

/**
 * Offers to sign in again, beside the page and not in place of it, so that nothing that was typed is lost. It is the
 * browser's own dialog: it must be there at once, above whatever other dialog is open, and when nothing can be loaded.
 */
export function SessionDialog() {
  const state = useSessionState()
  return state === 'active' ? null : <OpenDialog isSignedOut={state === 'signed-out'} />
}

function OpenDialog({ isSignedOut }: { isSignedOut: boolean }) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    // What has the focus is kept, to be given back when the dialog goes.
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
      // There is nothing to go back to: without a session nothing works.
      onCancel={(event) => event.preventDefault()}
      // Some browsers ask only once.
      onClose={() => dialog.current?.showModal()}
    >
      <Title id={id} headingLevel="h2">
        {isSignedOut ? 'You have logged out' : 'Your session has ended'}
      </Title>
      <Content component="p">
        {isSignedOut
          ? 'You have logged out in another tab. Sign in again, as the same user, to go on here.'
          : 'Sign in again to go on. Nothing that you have typed on this page is lost.'}
      </Content>
      <Button
        component="a"
        href={url}
        target="_blank"
        rel="opener"
        onClick={(event) => {
          // A window of our own can be closed again when it has done its work.
          if (window.open(url, 'slipway-sign-in', 'popup,width=560,height=720')) event.preventDefault()
        }}
      >
        Sign in again
      </Button>
    </dialog>
  )
}

/** No key reaches what is below: Escape would close a dialog there, and with it go what was typed. */
const keepKey = (event: KeyboardEvent) => event.stopPropagation()

/**
 * Keeps an element perceivable for a screen reader; answers how to stop. A dialog of PatternFly hides all that is
 * beside it, each time it is drawn, and with the page goes what is in it.
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

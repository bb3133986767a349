import '@patternfly/react-styles/css/components/Button/button.css'
import '@patternfly/react-styles/css/components/Content/content.css'
import '@patternfly/react-styles/css/components/Title/title.css'
import { useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { signInUrl } from '../api/session/session'
import { useSessionState } from '../api/session/session-state'
import { basePath } from '../lib/base-path'
import { paths } from '../paths'
import { useLayer } from '../ui/dialogs/layers'

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
  useLayer(dialog, { focus: () => dialog.current?.showModal(), isOnTop: true })
  useEffect(() => {
    globalThis.addEventListener('keydown', keepKey, true)
    return () => globalThis.removeEventListener('keydown', keepKey, true)
  }, [])
  const url = signInUrl({ pathname: basePath + paths.signedIn(), search: '', hash: '' })
  return createPortal(
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className={`slipway-session${isSignedOut ? ' slipway-session--signed-out' : ''}`}
      // The dialog cannot be cancelled: without a session, nothing works.
      onCancel={(event) => event.preventDefault()}
      // Some browsers let `onCancel` prevent closing only once.
      onClose={() => dialog.current?.showModal()}
    >
      <h2 id={id} className="pf-v6-c-title pf-m-h2">
        {isSignedOut ? 'You have logged out' : 'Your session has ended'}
      </h2>
      <p className="pf-v6-c-content--p">
        {isSignedOut
          ? 'You have logged out in another tab. Sign in again as the same user to continue here.'
          : 'Sign in again to continue. Nothing you typed on this page is lost.'}
      </p>
      <a
        className="pf-v6-c-button pf-m-primary"
        href={url}
        target="_blank"
        rel="opener"
        onClick={(event) => {
          // A window that we opened can close itself after signing in.
          if (window.open(url, 'slipway-sign-in', 'popup,width=560,height=720')) event.preventDefault()
        }}
      >
        <span className="pf-v6-c-button__text">Sign in again</span>
      </a>
    </dialog>,
    document.body,
  )
}

/** Keeps keys from what is below: Escape would close a dialog there and lose its input. */
const keepKey = (event: KeyboardEvent) => event.stopPropagation()

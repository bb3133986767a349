import { StorageFullError } from '@slipway/sqlite/errors'
import { renderDocument, escapeHtml } from '@slipway/gateway/session/document'
import { styleSheet } from './styles'

/** A person whom the sign-in page lists. The cluster knows people by their e-mail address. */
export interface SignInUser {
  name: string
  email: string
  groups: readonly string[]
  /** What the sign-in page tells about this user. */
  description: string
}

interface SignInPage {
  users: readonly SignInUser[]
  /** The path that the form is sent to. */
  action: string
  asksPasscode: boolean
  /** Why the last try failed. */
  problem?: string | undefined
}

export const signInPage = ({ users, action, asksPasscode, problem }: SignInPage): string =>
  page(
    'Sign in',
    `<p class="lead">This installation runs on your own machine. ${
      asksPasscode
        ? 'Type the passcode that was printed where it was started.'
        : 'Pick who you want to be: there is no password.'
    }</p>
<form method="post" action="${escapeHtml(action)}">
${asksPasscode ? passcodeField(problem) : alert(problem)}
<ul>
${users.map(userItem).join('\n')}
</ul>
</form>`,
  )

const passcodeField = (problem: string | undefined): string => `<div class="field">
<label for="passcode">Passcode</label>
<input id="passcode" name="passcode" type="password" required autofocus autocomplete="one-time-code"${
  problem ? ' aria-invalid="true" aria-describedby="problem"' : ''
}>
${alert(problem)}
</div>`

const alert = (problem: string | undefined): string =>
  problem ? `<p id="problem" class="problem" role="alert">${escapeHtml(problem)}</p>` : ''

const userItem = ({ name, email, description }: SignInUser): string =>
  `<li><button name="user" value="${escapeHtml(email)}">
<span class="name">${escapeHtml(name)}</span>
${email === name ? '' : `<span class="email">${escapeHtml(email)}</span>`}
<span class="description">${escapeHtml(description)}</span>
</button></li>`

export interface Failure {
  title: string
  text: string
}

/** @param consoleUrl where to begin again; without it there is no link */
export const failurePage = ({ title, text }: Failure, consoleUrl: string | undefined): string =>
  page(
    title,
    `<p class="lead">${escapeHtml(text)}</p>
${consoleUrl === undefined ? '' : `<p class="actions"><a class="action" href="${escapeHtml(consoleUrl)}">Go to Slipway</a></p>`}`,
  )

/** Asked only when nobody can tell that the console wants this. @param form as the provider's library made it */
export const signOutPage = (form: string): string =>
  page(
    'Sign out?',
    `<p class="lead">You will be asked who you are the next time you open Slipway.</p>
${form}
<p class="actions"><button class="action" type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button></p>`,
  )

/** What the provider's errors mean to the person who sees them. */
export function failureOf(error: unknown): Failure {
  switch (error instanceof Error && error.name) {
    case 'SessionNotFound':
      return {
        title: 'This sign-in has expired',
        text: 'It was left open for too long, or was finished in another tab.',
      }
    case 'InvalidRedirectUri':
      return {
        title: 'Sign-in leads elsewhere',
        text: 'You would come back to an address at which this installation is not served, so sign-in stops here.',
      }
    case 'InvalidClient':
      return {
        title: 'Sign-in is for the console only',
        text: 'What asks you to sign in is not part of this installation.',
      }
  }
  if (error instanceof StorageFullError) return { title: 'The disk is full', text: error.message }
  const description = error instanceof Error && 'error_description' in error && error.error_description
  if (!description) return { title: 'Something went wrong', text: 'Sign-in met an error of its own. Try it again.' }
  return { title: 'Sign-in is not possible', text: `The request makes no sense: ${description}.` }
}

export const notFound: Failure = {
  title: 'Nothing is here',
  text: 'This address is for signing in to the console only.',
}
export const foreignHost: Failure = { title: 'Wrong address', text: 'Sign-in is not served under this name.' }
export const foreignVersion: Failure = { title: 'Unknown protocol', text: 'Only HTTP/1.1 is spoken here.' }
export const foreignForm: Failure = { title: 'Sign-in refused', text: 'This sign-in was sent by another site.' }
export const badForm: Failure = { title: 'Sign-in refused', text: 'Nobody of that name can sign in here.' }

const page = (title: string, content: string): string => renderDocument({ title, styleSheet, content })

export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<g transform="rotate(14 16 16)" fill="#2b7de9">
<path d="M3 14h26l-3.2 6.6A6 6 0 0 1 20.4 24H10.2A6 6 0 0 1 5 21z"/>
<path d="M15 3.2 22.6 12H15z"/>
<path d="M13 5.8V12H8.2z" fill-opacity="0.62"/>
</g>
<path d="m2.4 24.2 26.4 6" fill="none" stroke="#f0a428" stroke-width="2.6" stroke-linecap="round"/>
</svg>
`

import { StorageFullError } from '@slipway/sqlite/errors'
import { renderDocument, escapeHtml } from '@slipway/gateway/session/document'
import { styleSheet } from './styles'

/** A user on the sign-in page. The cluster identifies users by their e-mail address. */
export interface SignInUser {
  name: string
  email: string
  groups: readonly string[]
  /** Description of the user on the sign-in page. */
  description: string
}

interface SignInPage {
  users: readonly SignInUser[]
  /** Path to which the form is submitted. */
  action: string
  requiresPasscode: boolean
  /** Why the last attempt failed. */
  problem?: string | undefined
}

export const signInPage = ({ users, action, requiresPasscode, problem }: SignInPage): string =>
  page(
    'Sign in',
    `<p class="lead">This installation runs on your own machine. ${
      requiresPasscode ? 'Enter the passcode printed in the terminal.' : 'Choose a demo user. No password needed.'
    }</p>
<form method="post" action="${escapeHtml(action)}">
${requiresPasscode ? passcodeField(problem) : alert(problem)}
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

/** @param consoleUrl target of the link to start again; without it there is no link */
export const failurePage = ({ title, text }: Failure, consoleUrl: string | undefined): string =>
  page(
    title,
    `<p class="lead">${escapeHtml(text)}</p>
${consoleUrl === undefined ? '' : `<p class="actions"><a class="action" href="${escapeHtml(consoleUrl)}">Go to Slipway</a></p>`}`,
  )

/** Shown only if the request may not come from the console. @param form created by the provider's library */
export const signOutPage = (form: string): string =>
  page(
    'Sign out?',
    `<p class="lead">You will have to sign in again the next time you open Slipway.</p>
${form}
<p class="actions"><button class="action" type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button></p>`,
  )

/** Explains the provider's errors to users. */
export function failureOf(error: unknown): Failure {
  switch (error instanceof Error && error.name) {
    case 'SessionNotFound':
      return {
        title: 'This sign-in has expired',
        text: 'It was open for too long, or was completed in another tab.',
      }
    case 'InvalidRedirectUri':
      return {
        title: 'Invalid return address',
        text: 'Sign-in would return you to an address that does not belong to this installation.',
      }
    case 'InvalidClient':
      return {
        title: 'Unknown application',
        text: 'The application that asks you to sign in is not part of this installation.',
      }
  }
  if (error instanceof StorageFullError) return { title: 'The disk is full', text: error.clientMessage }
  const description = error instanceof Error && 'error_description' in error && error.error_description
  if (!description)
    return { title: 'Something went wrong', text: 'An unexpected error occurred during sign-in. Try again.' }
  return { title: 'Sign-in is not possible', text: `The request is invalid: ${description}.` }
}

export const notFound: Failure = {
  title: 'Page not found',
  text: 'This address is only for signing in to the console.',
}
export const foreignHost: Failure = { title: 'Wrong address', text: 'Sign-in is not available under this host name.' }
export const foreignVersion: Failure = { title: 'Unknown protocol', text: 'Only HTTP/1.1 is supported.' }
export const foreignForm: Failure = { title: 'Sign-in rejected', text: 'The sign-in form was sent by another site.' }
export const badForm: Failure = { title: 'Sign-in rejected', text: 'There is no user with this name.' }

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

import { stored } from '../lib/stored'

/** What a cluster takes as the name of a namespace; anything else in an address leads elsewhere. */
const name = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

/** Where the user worked last, so that the sidebar leads back there; `undefined` before any was entered. */
export const lastUsedNamespace = stored<string | undefined>('lastUsedNamespace', (value) =>
  // A name of digits only is read as a number.
  (typeof value === 'string' || typeof value === 'number') && name.test(String(value)) ? String(value) : undefined,
)

import { stored } from './stored'

/** A valid name of a namespace; other text in a path would lead elsewhere. */
const name = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

/** The last used namespace, to which the sidebar links; `undefined` before the first visit to one. */
export const lastUsedNamespace = stored<string | undefined>('lastUsedNamespace', (value) =>
  // A name that consists of digits is parsed as a number.
  (typeof value === 'string' || typeof value === 'number') && name.test(String(value)) ? String(value) : undefined,
)

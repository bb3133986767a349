import { stored } from '../lib/stored'

/** Where the user worked last, so that the sidebar leads back there; `undefined` before any was entered. */
export const lastUsedNamespace = stored<string | undefined>('lastUsedNamespace', (value) =>
  // A name of digits only is read as a number.
  typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined,
)

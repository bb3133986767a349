import { createStore, useStore } from '../../lib/store'

/** What a shortcut has opened over the page. */
export type Overlay = 'palette' | 'keys' | 'problem'

const shown = createStore<Overlay | undefined>(undefined)
export const show = shown.set
export const useOverlay = (): Overlay | undefined => useStore(shown)

import { ChunkLoadAlert, lazyComponent } from '../../ui/page/lazy-component'

/** A dialog whose code is fetched when it is first opened. */
export const LazyVisibilityDialog = lazyComponent(() => import('./VisibilityDialog'), 'VisibilityDialog', {
  Missing: ChunkLoadAlert,
})

import { ChunkLoadAlert, lazyComponent } from '../page/lazy-component'

/** A dialog whose code is fetched when it is first opened. */
export const LazyConfirmDeleteDialog = lazyComponent(() => import('./ConfirmDeleteDialog'), 'ConfirmDeleteDialog', {
  Missing: ChunkLoadAlert,
})

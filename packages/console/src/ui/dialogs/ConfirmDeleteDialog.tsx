import { lazyComponent, ChunkLoadAlert } from '../page/lazy-component'

/** Deletes an object once its name has been typed. What fails is said in the dialog, and can be tried again. */
export const ConfirmDeleteDialog = lazyComponent(() => import('../form/DeleteForm'), 'DeleteForm', {
  Missing: ChunkLoadAlert,
})

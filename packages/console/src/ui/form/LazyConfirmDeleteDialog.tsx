import { lazyComponent, ChunkLoadAlert } from '../page/lazy-component'

/** Deletes an object once its name has been typed. A failure is shown in the dialog, and can be retried. */
export const ConfirmDeleteDialog = lazyComponent(() => import('../form/DeleteForm'), 'DeleteForm', {
  Missing: ChunkLoadAlert,
})

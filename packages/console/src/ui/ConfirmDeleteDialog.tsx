import { lazyPart, MissingPart } from './lazy-part'

/** Deletes an object once its name has been typed. What fails is said in the dialog, and can be tried again. */
export const ConfirmDeleteDialog = lazyPart(() => import('./form/DeleteForm').then((module) => module.DeleteForm), {
  Missing: MissingPart,
})

import type { DefinedAction } from '../../ui/actions/defined-action'
import { ChunkLoadAlert, lazyComponent } from '../../ui/page/lazy-component'

const ImageCommandsDialog = lazyComponent(() => import('./ImageCommandsDialog'), 'ImageCommandsDialog', {
  Missing: ChunkLoadAlert,
})

/** Shows the commands that log in to the registry of an image, pull it, and list what is attached to it. */
export const showImageCommands: DefinedAction<string | undefined> = {
  label: 'Pull image',
  isAddition: true,
  disabledReason: (image) => !image && 'There is no image yet',
  dialog: (image, { onClose }) => image && <ImageCommandsDialog image={image} onClose={onClose} />,
}

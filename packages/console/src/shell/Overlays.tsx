import { useStore } from '../lib/store'
import { missingRight } from '../ui/actions/missing-right'
import { ChunkLoadAlert, lazyComponent } from '../ui/page/lazy-component'
import { KeyboardShortcuts } from './palette/KeyboardShortcuts'

const MissingRightDialog = lazyComponent(() => import('./MissingRightDialog'), 'MissingRightDialog', {
  Missing: ChunkLoadAlert,
})

/** What keys and disabled controls open over any page. None of it is needed before the page is there. */
export const Overlays = () => (
  <>
    {useStore(missingRight) && <MissingRightDialog />}
    <KeyboardShortcuts />
  </>
)

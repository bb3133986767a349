import { KeysDialog } from './KeysDialog'
import type { Overlay } from './overlay'
import { ProblemDialog } from './ProblemDialog'

interface HelpDialogProps {
  about: Exclude<Overlay, 'palette'>
  onClose: () => void
}

/** What the Help menu opens, as one file: neither dialog is large. */
export const HelpDialog = ({ about, onClose }: HelpDialogProps) =>
  about === 'keys' ? <KeysDialog onClose={onClose} /> : <ProblemDialog onClose={onClose} />

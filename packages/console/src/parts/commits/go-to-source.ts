import type { Commit } from '@slipway/model/builds/commit'
import type { Action } from '../../ui/action'

/** Opens the commit at its git host, in a new tab. */
export const goToSource = ({ shaUrl }: Commit): Action => ({
  label: 'Go to source',
  disabledReason: !shaUrl && 'The pipeline runs of this commit do not name its source',
  onSelect: () => void globalThis.open(shaUrl, '_blank', 'noopener,noreferrer'),
})

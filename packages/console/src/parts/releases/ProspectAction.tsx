import { nameOf } from '@slipway/kube/object'
import type { ReleaseProspect } from '@slipway/model/releases/release-prospects'
import { paths, type SnapshotParams } from '../../paths'
import { ActionButton } from '../../ui/actions/ActionButton'
import { ButtonLink } from '../../ui/actions/ButtonLink'

interface ProspectActionProps {
  row: Pick<ReleaseProspect, 'plan' | 'release' | 'canTrigger'>
  at: SnapshotParams
  disabledReason: string | false | undefined
}

/**
 * What to do about a snapshot and a release plan. The names say of which release and plan they are. They are not in the
 * palette, where only a label would be shown.
 */
export function ProspectAction({ row: { plan, release, canTrigger }, at, disabledReason }: ProspectActionProps) {
  if (release) {
    const name = nameOf(release)
    return (
      <ButtonLink
        variant="secondary"
        size="sm"
        aria-label={`View release ${name}`}
        to={paths.release({ ...at, release: name })}
      >
        View release
      </ButtonLink>
    )
  }
  if (!canTrigger) return '-'
  return (
    <ActionButton
      variant="secondary"
      size="sm"
      aria-label={`Trigger release with ${plan}`}
      disabledReason={disabledReason}
      to={paths.triggerReleaseOf({ namespace: at.namespace, releasePlan: plan, snapshot: at.snapshot })}
    >
      {/* Text alone would make it an entry of the palette. */}
      <span>Trigger release</span>
    </ActionButton>
  )
}

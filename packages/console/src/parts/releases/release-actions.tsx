import { nameOf, specOf } from '@slipway/kube/object'
import { type Release, releaseType } from '@slipway/model/releases/release'
import { permission } from '../../api/access/permission'
import { type ApplicationParams, paths } from '../../paths'
import { triggerReleasePermission } from '../../resources/release-plans'
import type { DefinedAction } from '../../ui/actions/defined-action'
import { ChunkLoadAlert, lazyComponent } from '../../ui/page/lazy-component'

const RerunReleaseDialog = lazyComponent(() => import('./RerunReleaseDialog'), 'RerunReleaseDialog', {
  Missing: ChunkLoadAlert,
})

export const rerunReleaseAction: DefinedAction<Release, ApplicationParams> = {
  label: 'Re-run',
  needs: permission("You don't have access to re-run releases", ['create', releaseType]),
  isProminent: () => true,
  dialog: (release, { at, onClose }) => (
    <RerunReleaseDialog at={{ ...at, release: nameOf(release) }} onClose={onClose} />
  ),
}

/** What can be done with any release of an application, whatever its status. */
export const releaseActions: readonly DefinedAction<Release, ApplicationParams>[] = [
  rerunReleaseAction,
  {
    label: 'Trigger release',
    isAddition: true,
    needs: triggerReleasePermission,
    // With the same plan and snapshot, and with other release notes.
    to: (release, { namespace }) => {
      const { releasePlan, snapshot } = specOf(release)
      return paths.triggerReleaseOf({ namespace, releasePlan, snapshot })
    },
  },
]

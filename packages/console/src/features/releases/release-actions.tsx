import { specOf } from '@slipway/kube/object'
import type { Release } from '@slipway/model/supply-chain/release'
import { useNavigate } from 'react-router'
import { disabledReason, useAccess } from '../../api/access/access'
import { paths } from '../../paths'
import { triggerReleaseChecks } from '../../resources/release-plans'
import { createReleaseChecks } from '../../resources/releases'
import type { Action } from '../../ui/action'
import { ChunkLoadAlert, lazyComponent } from '../../ui/page/lazy-component'

/** What can be done with any release of a namespace, whatever its status. @param onRerun opens the dialog */
export function useReleaseActions(
  namespace: string,
  onRerun: (release: Release) => void,
): (release: Release) => Action[] {
  const navigate = useNavigate()
  const mayCreate = useAccess(createReleaseChecks(namespace))
  const mayTrigger = useAccess(triggerReleaseChecks(namespace))
  return (release) => [
    {
      label: 'Re-run',
      disabledReason: disabledReason(mayCreate, "You don't have access to re-run releases"),
      onSelect: () => onRerun(release),
    },
    {
      label: 'Trigger release',
      isAddition: true,
      disabledReason: disabledReason(mayTrigger, "You don't have access to trigger releases"),
      // With the same plan and snapshot, and with other release notes.
      onSelect: () => {
        const { releasePlan, snapshot } = specOf(release)
        void navigate(paths.triggerReleaseOf({ namespace, releasePlan, snapshot }))
      },
    },
  ]
}

export const RerunReleaseDialog = lazyComponent(() => import('./RerunReleaseDialog'), 'RerunReleaseDialog', {
  Missing: ChunkLoadAlert,
})

import { nameOf } from '@slipway/kube/object'
import { uneditableReason } from '@slipway/model/supply-chain/integration-test-edit'
import {
  type IntegrationTestScenario,
  integrationTestScenarioType,
} from '@slipway/model/supply-chain/integration-test-scenario'
import { invalidReasonOf } from '@slipway/model/supply-chain/integration-test-source'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { useNavigate } from 'react-router'
import { disabledReason, useAccess } from '../../api/access/access'
import type { AccessCheck } from '../../api/access/access-review'
import { isBeingDeleted } from '../../api/archive/origin'
import { type ApplicationParams, paths } from '../../paths'
import {
  deleteIntegrationTestChecks,
  editIntegrationTestChecks,
  patchIntegrationTestChecks,
} from '../../resources/integration-test-scenarios'
import { rerunChecks } from '../../resources/pipeline-runs'
import type { Action } from '../../ui/action'
import { ConfirmDeleteDialog } from '../../ui/dialogs/ConfirmDeleteDialog'
import { ChunkLoadAlert, lazyComponent } from '../../ui/page/lazy-component'
import { noRerunAccess, rerunAction } from '../../ui/pipeline-runs/run-actions'
import type { LatestRun, TestWithRun } from './use-tests-with-runs'

/** The access checks of `useIntegrationTestActions`, for loaders. */
export const integrationTestActionChecks = (namespace: string): AccessCheck[] => [
  ...patchIntegrationTestChecks(namespace),
  ...deleteIntegrationTestChecks(namespace),
  ...rerunChecks(namespace),
]

/** Why this user, who needs these permissions, cannot edit a test now; `false` if they can. */
function useEditDisabledReason(checks: AccessCheck[]): (test: IntegrationTestScenario) => string | false {
  const mayEdit = useAccess(checks)
  return (test) =>
    disabledReason(mayEdit, "You don't have access to edit this integration test") || deletingReason(test)
}

/** Why this user cannot edit the contexts or parameters of a test now; `false` if they can. */
export const usePatchDisabledReason = (namespace: string) =>
  useEditDisabledReason(patchIntegrationTestChecks(namespace))

export interface IntegrationTestDialog {
  kind: 'run' | 'delete'
  test: IntegrationTestScenario
  latest: PipelineRun | undefined
}

/** The actions on any integration test of an application, with its latest run. */
export function useIntegrationTestActions(
  at: ApplicationParams,
  open: (dialog: IntegrationTestDialog) => void,
): (row: TestWithRun) => Action[] {
  const navigate = useNavigate()
  const editDisabledReason = useEditDisabledReason(editIntegrationTestChecks(at.namespace))
  const mayDelete = useAccess(deleteIntegrationTestChecks(at.namespace))
  const mayRerun = useAccess(rerunChecks(at.namespace))
  return ({ test, latest, runs }) => [
    latest && !isBeingDeleted(test)
      ? { ...rerunAction(latest, mayRerun), isAddition: true }
      : {
          label: 'Rerun',
          isAddition: true,
          disabledReason: disabledReason(mayRerun, noRerunAccess) || deletingReason(test) || withoutLatest[runs],
          onSelect: () => undefined,
        },
    {
      label: 'Run on a snapshot',
      isAddition: true,
      disabledReason:
        disabledReason(mayRerun, noRerunAccess) || deletingReason(test) || (invalidReasonOf(test) ?? false),
      onSelect: () => open({ kind: 'run', test, latest }),
    },
    {
      label: 'Edit',
      disabledReason: editDisabledReason(test) || (uneditableReason(test) ?? false),
      onSelect: () => void navigate(paths.editIntegrationTest({ ...at, integrationTest: nameOf(test) })),
    },
    {
      label: 'Delete',
      isDanger: true,
      disabledReason:
        disabledReason(mayDelete, "You don't have access to delete this integration test") || deletingReason(test),
      onSelect: () => open({ kind: 'delete', test, latest }),
    },
  ]
}

/** Why a test cannot be run again without a known run. */
const withoutLatest: Record<LatestRun['runs'], string> = {
  loading: 'Its latest run is not known yet',
  unreadable: 'Its latest run could not be read',
  known: 'It has no recent run',
}

const deletingReason = (test: IntegrationTestScenario) =>
  isBeingDeleted(test) && 'This integration test is being deleted'

const RunTestDialog = lazyComponent(() => import('./RunTestDialog'), 'RunTestDialog', { Missing: ChunkLoadAlert })

interface IntegrationTestDialogsProps {
  at: ApplicationParams
  /** The dialog that is open. */
  open: IntegrationTestDialog | undefined
  onClose: () => void
  onDeleted?: () => void
}

/** The dialogs that the actions open. */
export function IntegrationTestDialogs({ at, open, onClose, onDeleted }: IntegrationTestDialogsProps) {
  if (open?.kind === 'run') return <RunTestDialog at={at} test={open.test} latest={open.latest} onClose={onClose} />
  if (open?.kind !== 'delete') return null
  return (
    <ConfirmDeleteDialog
      type={integrationTestScenarioType}
      object={open.test}
      noun="Integration test"
      onClose={onClose}
      onDeleted={onDeleted}
    >
      New snapshots are released without its result. Its pipeline runs are kept. This cannot be undone.
    </ConfirmDeleteDialog>
  )
}

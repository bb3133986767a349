import { nameOf } from '@slipway/kube/object'
import { uneditableReason } from '@slipway/model/snapshots/integration-test-edit'
import {
  type IntegrationTestScenario,
  integrationTestScenarioType,
} from '@slipway/model/snapshots/integration-test-scenario'
import { invalidReasonOf } from '@slipway/model/snapshots/integration-test-source'
import { permission } from '../../api/access/permission'
import { type ApplicationParams, paths } from '../../paths'
import { editIntegrationTestPermission } from '../../resources/integration-test-scenarios'
import { rerunPermission } from '../../resources/pipeline-runs'
import type { DefinedAction } from '../../ui/actions/defined-action'
import { deletingReason } from '../../ui/actions/deleting-reason'
import { LazyConfirmDeleteDialog } from '../../ui/form/LazyConfirmDeleteDialog'
import { ChunkLoadAlert, lazyComponent } from '../../ui/page/lazy-component'
import { requestRerun, whyNotRerunnable } from '../../parts/pipeline-runs/run-actions'
import type { LatestRun, TestWithRun } from './use-tests-with-runs'

const RunTestDialog = lazyComponent(() => import('./RunTestDialog'), 'RunTestDialog', { Missing: ChunkLoadAlert })
const EditContextsDialog = lazyComponent(() => import('./EditContextsDialog'), 'EditContextsDialog', {
  Missing: ChunkLoadAlert,
})
const EditParametersDialog = lazyComponent(() => import('./EditParametersDialog'), 'EditParametersDialog', {
  Missing: ChunkLoadAlert,
})

const deleting = (test: IntegrationTestScenario) => deletingReason(test, 'integration test')

/** Why a test cannot be run again without a known run. */
const withoutLatest: Record<LatestRun['runs'], string> = {
  loading: 'Its latest run is not known yet',
  unreadable: 'Its latest run could not be read',
  known: 'It has no recent run',
}

/** What can be done with any integration test of an application. */
export const integrationTestActions: readonly DefinedAction<TestWithRun, ApplicationParams>[] = [
  {
    label: 'Rerun',
    isAddition: true,
    needs: rerunPermission,
    disabledReason: ({ test, latest, runs }) =>
      deleting(test) || (latest ? whyNotRerunnable(latest) : withoutLatest[runs]),
    run: ({ latest }) => latest && requestRerun(latest),
  },
  {
    label: 'Run on a snapshot',
    isAddition: true,
    needs: rerunPermission,
    disabledReason: ({ test }) => deleting(test) || invalidReasonOf(test),
    dialog: ({ test, latest }, { at, onClose }) => (
      <RunTestDialog at={at} test={test} latest={latest} onClose={onClose} />
    ),
  },
  {
    label: 'Edit',
    needs: editIntegrationTestPermission,
    disabledReason: ({ test }) => deleting(test) || uneditableReason(test),
    to: ({ test }, at) => paths.editIntegrationTest({ ...at, integrationTest: nameOf(test) }),
  },
  {
    label: 'Delete',
    isDanger: true,
    needs: permission("You don't have access to delete this integration test", ['delete', integrationTestScenarioType]),
    disabledReason: ({ test }) => deleting(test),
    dialog: ({ test }, { onClose, onDeleted }) => (
      <LazyConfirmDeleteDialog
        type={integrationTestScenarioType}
        object={test}
        noun="Integration test"
        onClose={onClose}
        onDeleted={onDeleted}
      >
        New snapshots are released without its result. Its pipeline runs are kept. This cannot be undone.
      </LazyConfirmDeleteDialog>
    ),
  },
]

/** Contexts and parameters are saved as a patch. */
const editPart = (noun: string, Dialog: typeof EditContextsDialog): DefinedAction<IntegrationTestScenario> => ({
  label: `Edit ${noun}`,
  needs: permission(
    editIntegrationTestPermission.denial,
    ['update', integrationTestScenarioType],
    ['patch', integrationTestScenarioType],
  ),
  disabledReason: (test) => deleting(test) || uneditableReason(test),
  dialog: (test, { onClose }) => <Dialog test={test} onClose={onClose} />,
})

export const editContexts = editPart('contexts', EditContextsDialog)
export const editParameters = editPart('parameters', EditParametersDialog)

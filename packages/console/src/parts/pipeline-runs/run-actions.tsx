import { namespaceOf } from '@slipway/kube/object'
import { type PipelineRun, pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { gitFactsOf } from '@slipway/model/git/git-facts'
import { cancelRequestOf, isRerunLikely, rerunOf } from '@slipway/model/runs/run-actions'
import { isFinished } from '@slipway/model/runs/tekton'
import { permission } from '../../api/access/permission'
import { rerunPermission } from '../../resources/pipeline-runs'
import { stopRun, rerun } from '../../resources/run-requests'
import type { DefinedAction } from '../../ui/actions/defined-action'
import { runAction } from '../../ui/actions/object-actions'
import { applicationOf } from '../links'
import { ChunkLoadAlert, lazyComponent } from '../../ui/page/lazy-component'
import { readSiblingRuns } from './sibling-runs'
import { NewRuns, runMessages } from './run-request-outcomes'
import { type BulkStopRequest, whyNotStoppable } from './stoppable'

const RerunRunsDialog = lazyComponent(() => import('./RerunRunsDialog'), 'RerunRunsDialog', { Missing: ChunkLoadAlert })
const StopRunsDialog = lazyComponent(() => import('./StopRunsDialog'), 'StopRunsDialog', { Missing: ChunkLoadAlert })

const toPermissions = (denials: Record<BulkStopRequest, string>) => ({
  stop: permission(denials.stop, ['patch', pipelineRunType]),
  cancel: permission(denials.cancel, ['patch', pipelineRunType]),
})

/** A run is called a pipeline in lists, and a build on its own page. Specification 2 and 3, section 6. */
const permissions = {
  list: toPermissions({
    stop: "You don't have access to stop this pipeline",
    cancel: "You don't have access to cancel this pipeline",
  }),
  page: toPermissions({
    stop: "You don't have access to stop a build",
    cancel: "You don't have access to cancel a build",
  }),
}

/** Why no user can run this again; `false` if it can be. */
export function whyNotRerunnable(run: PipelineRun): string | false {
  const again = rerunOf(run)
  return 'disabledReason' in again && again.disabledReason
}

export function requestRerun(run: PipelineRun): void {
  const again = rerunOf(run)
  if ('disabledReason' in again) return
  let known: string[] | undefined
  const request = async () => {
    known = await readSiblingRuns(run)
    await rerun(namespaceOf(run) ?? '', again)
  }
  const { application } = applicationOf(run)
  const built = rebuiltCommit(run)
  const done = [
    `Rerun requested${built ? ` of ${built}` : ''}.`,
    // A run without an application has no page.
    ...(application ? ['A link appears here when it starts.'] : []),
  ].join(' ')
  runAction(run, 'rerun', request, {
    messages: { ...runMessages.rerun, done },
    ...(application && { result: () => <NewRuns run={run} known={known} /> }),
  })
}

/** What the rerun of a build builds: not the commit of the run. `undefined` for a test, whose snapshot stays the same. */
function rebuiltCommit(run: PipelineRun): string | undefined {
  const again = rerunOf(run)
  if ('disabledReason' in again || again.kind !== 'build') return undefined
  return `the newest commit of ${gitFactsOf(undefined, [run]).branch ?? 'its branch'}`
}

export const rerunAction: DefinedAction<PipelineRun> = {
  label: 'Rerun',
  description(run) {
    const built = rebuiltCommit(run)
    return built && `Builds ${built}`
  },
  needs: rerunPermission,
  isProminent: isRerunLikely,
  disabledReason: whyNotRerunnable,
  run: requestRerun,
}

const actionsWith = ({ stop, cancel }: typeof permissions.list): readonly DefinedAction<PipelineRun>[] => [
  rerunAction,
  {
    label: 'Stop',
    needs: stop,
    isProminent: (run) => !isFinished(run),
    disabledReason: (run) => whyNotStoppable(run, 'stop'),
    run: (run) => runAction(run, 'stop', () => stopRun(run, 'stop'), { messages: runMessages.stop }),
  },
  {
    label: (run) => ({ cancel: 'Cancel', cancelAll: 'Cancel finally tasks too' })[cancelRequestOf(run)],
    needs: cancel,
    disabledReason: (run) => whyNotStoppable(run, cancelRequestOf(run)),
    run(run) {
      const request = cancelRequestOf(run)
      runAction(run, request, () => stopRun(run, request), { messages: runMessages[request] })
    },
  },
]

/** What can be done with any run; `ActionToasts` reports the outcome. */
export const runActions = { list: actionsWith(permissions.list), page: actionsWith(permissions.page) }

interface SelectedRuns {
  runs: readonly PipelineRun[]
  deselect: () => void
}

/** What can be done with several runs at once, after a dialog that asks. */
export const bulkRunActions: readonly DefinedAction<SelectedRuns>[] = [
  {
    label: 'Rerun',
    isWrite: true,
    needs: rerunPermission,
    disabledReason: ({ runs }) => runs.every(whyNotRerunnable) && 'None of the selected pipeline runs can be rerun',
    dialog: ({ runs, deselect }, { onClose }) => <RerunRunsDialog runs={runs} onDone={deselect} onClose={onClose} />,
  },
  ...(['stop', 'cancel'] as const).map((request): DefinedAction<SelectedRuns> => ({
    label: { stop: 'Stop', cancel: 'Cancel' }[request],
    isWrite: true,
    needs: permissions.list[request],
    disabledReason: ({ runs }) =>
      runs.every((run) => whyNotStoppable(run, request)) && 'None of the selected pipeline runs is running',
    dialog: ({ runs, deselect }, { onClose }) => (
      <StopRunsDialog request={request} runs={runs} onDone={deselect} onClose={onClose} />
    ),
  })),
]

import { namespaceOf } from '@slipway/kube/object'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { cancelRequestOf, stopDisabledReason, type StopRequest, rerunOf } from '@slipway/model/runs/run-actions'
import { type Access, disabledReason, useAccess } from '../../api/access/access'
import { originOf } from '../../api/archive/origin'
import { stopRunChecks, rerunChecks } from '../../resources/pipeline-runs'
import { stopRun, rerun } from '../../resources/run-requests'
import type { Action } from '../action'
import { runAction } from '../actions/object-actions'
import { applicationOf } from '../links'
import { readSiblingRuns } from './sibling-runs'
import { NewRuns, runMessages } from './run-request-outcomes'

/** A run is called a pipeline in lists, and a build on its own page. Specification 2 and 3, section 6. */
const denials = {
  list: {
    stop: "You don't have access to stop this pipeline",
    cancel: "You don't have access to cancel this pipeline",
  },
  page: { stop: "You don't have access to stop a build", cancel: "You don't have access to cancel a build" },
}

/** Rerun, Stop and Cancel for any run of a namespace; `ActionToasts` reports their outcome. */
export function useRunActions(namespace: string, place: keyof typeof denials): (run: PipelineRun) => Action[] {
  const mayStop = useAccess(stopRunChecks(namespace))
  const mayRerun = useAccess(rerunChecks(namespace))
  return (run) => actionsOf(run, mayStop, mayRerun, denials[place])
}

/** Stop and Cancel of several runs of a namespace. @param stop asks before it does so */
export function useBulkRunActions(
  namespace: string,
  stop: (request: BulkStopRequest, runs: readonly PipelineRun[], deselect: () => void) => void,
): (runs: readonly PipelineRun[], deselect: () => void) => Action[] {
  const mayStop = useAccess(stopRunChecks(namespace))
  return (runs, deselect) => {
    return (['stop', 'cancel'] as const).map((request) => ({
      label: { stop: 'Stop', cancel: 'Cancel' }[request],
      isWrite: true,
      disabledReason:
        disabledReason(mayStop, denials.list[request]) ||
        (runs.every((run) => whyNotStoppable(run, request)) && 'None of the selected pipeline runs is running'),
      onSelect: () => stop(request, runs, deselect),
    }))
  }
}

/** What can be done to several runs at once: each is looked at before it is cancelled with its `finally` tasks. */
export type BulkStopRequest = Exclude<StopRequest, 'cancelAll'>

/** Why no user can stop or cancel a run; `undefined` if it can be. */
export const whyNotStoppable = (run: PipelineRun, request: StopRequest): string | undefined =>
  originOf(run) ? 'Deleted from the cluster' : stopDisabledReason(run, request)

function actionsOf(
  run: PipelineRun,
  mayStop: Access,
  mayRerun: Access,
  texts: { stop: string; cancel: string },
): Action[] {
  const cancelRequest = cancelRequestOf(run)
  return [
    rerunAction(run, mayRerun),
    {
      label: 'Stop',
      isWrite: true,
      disabledReason: disabledReason(mayStop, texts.stop) || whyNotStoppable(run, 'stop') || false,
      onSelect: () => runAction(run, 'stop', () => stopRun(run, 'stop'), { messages: runMessages.stop }),
    },
    {
      label: { cancel: 'Cancel', cancelAll: 'Cancel finally tasks too' }[cancelRequest],
      isWrite: true,
      disabledReason: disabledReason(mayStop, texts.cancel) || whyNotStoppable(run, cancelRequest) || false,
      onSelect: () =>
        runAction(run, cancelRequest, () => stopRun(run, cancelRequest), { messages: runMessages[cancelRequest] }),
    },
  ]
}

/** Rerun of one run. @param mayRerun the access to `rerunChecks` */
export function rerunAction(run: PipelineRun, mayRerun: Access): Action {
  const again = rerunOf(run)
  return {
    label: 'Rerun',
    isWrite: true,
    disabledReason: disabledReason(mayRerun, noRerunAccess) || ('disabledReason' in again && again.disabledReason),
    onSelect: () => {
      if ('disabledReason' in again) return
      let known: string[] | undefined
      const request = async () => {
        known = await readSiblingRuns(run)
        await rerun(namespaceOf(run) ?? '', again)
      }
      const { application } = applicationOf(run)
      runAction(run, 'rerun', request, {
        messages: application ? runMessages.rerun : { ...runMessages.rerun, done: 'Rerun requested.' },
        // A run without an application has no page.
        ...(application && { result: (onSettled) => <NewRuns run={run} known={known} onSettled={onSettled} /> }),
      })
    },
  }
}

/** Why a user without `rerunChecks` cannot run a build or a test again. */
export const noRerunAccess = "You don't have access to rerun"

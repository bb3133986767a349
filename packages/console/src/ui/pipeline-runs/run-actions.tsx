import { namespaceOf } from '@slipway/kube/object'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { stopDisabledReason, rerunOf } from '@slipway/model/runs/run-actions'
import { type Access, disabledReason, useAccess } from '../../api/access/access'
import { originOf } from '../../api/archive/origin'
import { stopRunChecks, rerunChecks } from '../../resources/rights'
import { stopRun, rerun } from '../../resources/run-requests'
import type { Action } from '../action'
import { runAction } from '../actions/object-actions'
import { knownSiblingRuns } from './sibling-runs'
import { NewRuns, runMessages } from './run-request-outcomes'

/** The same is called a pipeline in a list of runs, and a build on the page of one. Specification 2 and 3, section 6. */
const denials = {
  list: {
    stop: "You don't have access to stop this pipeline",
    cancel: "You don't have access to cancel this pipeline",
  },
  page: { stop: "You don't have access to stop a build", cancel: "You don't have access to cancel a build" },
}

/** Rerun, Stop and Cancel of any run of a namespace; what becomes of them is told by `ActionToasts`. */
export function useRunActions(namespace: string, place: keyof typeof denials): (run: PipelineRun) => Action[] {
  const mayEnd = useAccess(stopRunChecks(namespace))
  const mayRerun = useAccess(rerunChecks(namespace))
  return (run) => actionsOf(run, mayEnd, mayRerun, denials[place])
}

function actionsOf(
  run: PipelineRun,
  mayEnd: Access,
  mayRerun: Access,
  words: { stop: string; cancel: string },
): Action[] {
  const again = rerunOf(run)
  const refusal = originOf(run) ? 'The cluster has it no more' : stopDisabledReason(run)
  return [
    {
      label: 'Rerun',
      isWrite: true,
      disabledReason:
        disabledReason(mayRerun, "You don't have access to rerun") ||
        ('disabledReason' in again && again.disabledReason),
      onSelect: () => {
        if ('disabledReason' in again) return
        const known = knownSiblingRuns(run)
        runAction(run, 'rerun', () => rerun(namespaceOf(run) ?? '', again), {
          messages: runMessages.rerun,
          result: known && <NewRuns run={run} known={known} />,
        })
      },
    },
    {
      label: 'Stop',
      isWrite: true,
      disabledReason: disabledReason(mayEnd, words.stop) || refusal || false,
      onSelect: () => runAction(run, 'stop', () => stopRun(run, 'stop'), { messages: runMessages.stop }),
    },
    {
      label: 'Cancel',
      isWrite: true,
      disabledReason: disabledReason(mayEnd, words.cancel) || refusal || false,
      onSelect: () => runAction(run, 'cancel', () => stopRun(run, 'cancel'), { messages: runMessages.cancel }),
    },
  ]
}

import type { LogGroup } from '@slipway/model/logs/log-lines'
import { useMemo, useState } from 'react'
import { groupFold, stepFold, unfolded } from './log-rows'
import type { StepView } from './step-view'

/** Which steps and groups of a log are folded. The functions never change, so that rows can be `memo`. */
export function useFolds() {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const actions = useMemo(() => {
    const toggle = (fold: string) =>
      setFolded((before) => {
        const after = new Set(before)
        if (!after.delete(fold)) after.add(fold)
        return after
      })
    return {
      toggleStep: (container: string) => toggle(stepFold(container)),
      toggleGroup: (container: string, group: LogGroup) => toggle(groupFold(container, group)),
      /** Unfolds the step and groups that contain a line. */
      unfoldLine: ({ container, lines }: StepView, line: number) =>
        setFolded((before) => unfolded(before, { container, groups: lines.groups }, line)),
      foldAll: (steps: readonly StepView[]) => setFolded(allFolds(steps)),
      unfoldAll: () => setFolded(new Set()),
    }
  }, [])
  return { folded, ...actions }
}

const allFolds = (steps: readonly StepView[]): ReadonlySet<string> =>
  new Set(
    steps.flatMap(({ container, lines }) => [
      stepFold(container),
      ...lines.groups.map((group) => groupFold(container, group)),
    ]),
  )

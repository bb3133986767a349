import { Alert, Toolbar, ToolbarContent, ToolbarItem } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import { commitMessageOf } from '@slipway/model/git/git-facts'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { pipelineRunStatus } from '@slipway/model/runs/run-status'
import { startOf } from '@slipway/model/runs/tekton'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { asSentence, failureText } from '../../api/messages'
import { paths, type PipelineRunParams } from '../../paths'
import { RunStatus } from '../../parts/pipeline-runs/RunStatus'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { ButtonLink } from '../../ui/actions/ButtonLink'
import { StatusBox } from '../../ui/failures/StatusBox'
import { type ContextItem, ContextSwitcher } from '../../ui/page/ContextSwitcher'
import { route } from '../../ui/page/route'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { RelativeTime } from '../../ui/text/RelativeTime'
import { RunComparison } from './RunComparison'
import { baselineParam, useBaselineRun } from './use-baseline-run'

export const page = route(paths.pipelineRunChanges)

export { PipelineRunChangesTab as Component }
/** What changed since another run: the last green one that did the same, unless the user selects another. */
function PipelineRunChangesTab() {
  const at = page.useParams()
  const { data: run } = useSuspenseQuery(pipelineRuns.get(at.namespace, at.pipelineRun))
  const { name, isLastGreen, isLoading, others, missing, error, seenCount, select } = useBaselineRun(run)
  const { data: baseline, error: baselineError } = useQuery({
    ...pipelineRuns.get(at.namespace, name ?? ''),
    enabled: name !== undefined,
  })
  const isNone = name === undefined && !isLoading && !error
  return (
    <>
      {name === undefined &&
        missing.map((part) => (
          <Alert
            key={part.name}
            isInline
            variant="warning"
            component="p"
            title={`There may be a green run in ${part.name}, which could not be read: ${asSentence(failureText(part.error))}`}
          />
        ))}
      {(name !== undefined || isLoading || (others && others.length > 0)) && (
        <Toolbar inset={{ default: 'insetNone' }}>
          <ToolbarContent alignItems="center">
            <ToolbarItem>Compared with</ToolbarItem>
            <ToolbarItem>
              <RunSwitcher name={name} isLoading={isLoading} others={others} error={error} onSelect={select} />
            </ToolbarItem>
            {baseline && (
              <>
                <ToolbarItem>
                  <RunStatus run={baseline} />
                </ToolbarItem>
                <ToolbarItem>
                  <RelativeTime time={startOf(baseline)} />
                </ToolbarItem>
                {isLastGreen && <ToolbarItem>The last one that did the same and succeeded</ToolbarItem>}
                <ToolbarItem>
                  <ButtonLink variant="link" size="sm" to={swappedPath(at, nameOf(baseline))}>
                    Swap
                  </ButtonLink>
                </ToolbarItem>
              </>
            )}
          </ToolbarContent>
        </Toolbar>
      )}
      {isNone && (
        <MessagePanel titleText="No green run to compare with">
          None of {seenCount === 1 ? 'the one run' : `the ${seenCount.toLocaleString('en-US')} runs`} that are known is
          of the same component, branch and type, older, and successful. Any other run can be selected above, if there
          is one.
        </MessagePanel>
      )}
      {!isNone && (
        <StatusBox label="the run to compare with" data={baseline} error={name === undefined ? error : baselineError}>
          {(before) => <RunComparison before={before} after={run} at={at} />}
        </StatusBox>
      )}
    </>
  )
}

/** The comparison of the other run with this one. */
const swappedPath = (at: PipelineRunParams, other: string) =>
  `${paths.pipelineRunChanges({ ...at, pipelineRun: other })}?${new URLSearchParams({ [baselineParam]: at.pipelineRun })}`

interface RunSwitcherProps {
  name: string | undefined
  isLoading: boolean
  others: readonly PipelineRun[] | undefined
  error: Error | null
  onSelect: (name: string) => void
}

function RunSwitcher({ name, isLoading, others, error, onSelect }: RunSwitcherProps) {
  // Most users compare with the last green run.
  const [wasOpened, setWasOpened] = useState(false)
  const items = useMemo(() => (wasOpened ? others?.map(choiceOf) : undefined), [wasOpened, others])
  return (
    <ContextSwitcher
      resourceType="compared-run"
      noun="run"
      selected={{ key: name ?? '', name: name ?? (isLoading ? '…' : 'none') }}
      items={items}
      failure={error && failureText(error)}
      onOpen={() => setWasOpened(true)}
      onSelect={({ key }) => onSelect(key)}
    />
  )
}

function choiceOf(run: PipelineRun): ContextItem {
  const title = commitMessageOf(run)?.split('\n', 1)[0]
  return {
    key: nameOf(run),
    name: nameOf(run),
    description: [pipelineRunStatus(run), title].filter(Boolean).join(': '),
  }
}

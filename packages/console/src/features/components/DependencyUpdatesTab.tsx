import { Skeleton } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import { isNotFound } from '@slipway/kube/status'
import { mintMakerNamespace } from '@slipway/model/platform/namespace'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { runStatuses } from '@slipway/model/runs/run-status'
import { useQuery } from '@tanstack/react-query'
import { paths } from '../../paths'
import { namespaces } from '../../resources/namespaces'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { type PipelineRunCells, runColumns } from '../../parts/pipeline-runs/columns'
import { displayStatus } from '../../parts/status/display-status'
import { route } from '../../ui/page/route'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { tablePreferences } from '../../ui/table/columns'
import { byName, byStatus } from '../../ui/table/common-columns'
import type { Column, Filter } from '../../ui/table/rows'
import { ViewTable } from '../../ui/table/ViewTable'

// Nothing is read in advance: many users are refused, and a refused request would be sent again by the tab.
export const page = route(paths.dependencyUpdates)

export { DependencyUpdatesTab as Component }
/** The runs in which MintMaker looked for newer versions of what the component depends on, in a namespace of its own. */
function DependencyUpdatesTab() {
  const { namespace, component } = page.useParams()
  return (
    <ViewTable
      label="Dependency updates"
      at={{}}
      {...pipelineRuns.dependencyUpdates(namespace, component)}
      columns={columns}
      filters={filters}
      preferences={tablePreferences('slipway-dependency-updates-columns')}
      empty={<NoDependencyUpdates />}
      denied={
        <>
          Dependency updates run in the namespace {mintMakerNamespace}. Kubernetes refuses a namespace that does not
          exist in the same way: the platform then has none.
        </>
      }
    />
  )
}

const columns: Column<PipelineRun, PipelineRunCells>[] = [
  runColumns.status,
  runColumns.name,
  runColumns.started,
  runColumns.duration,
]

const filters: Filter<PipelineRun>[] = [byName(nameOf), byStatus(displayStatus, runStatuses)]

/** A list in a namespace that does not exist is empty, so the namespace says whether there could be any. */
function NoDependencyUpdates() {
  const { error, isLoading } = useQuery(namespaces.get(mintMakerNamespace))
  if (isLoading)
    return <Skeleton width="20rem" screenreaderText="Loading whether the platform has dependency updates" />
  return isNotFound(error) ? (
    <MessagePanel variant="sm" titleText="This platform has no dependency updates">
      The service that proposes them, MintMaker, runs in the namespace {mintMakerNamespace}, which does not exist.
    </MessagePanel>
  ) : (
    <MessagePanel variant="sm" titleText="No dependency updates yet">
      MintMaker looks for newer versions of what a component depends on, and proposes them in pull requests. Its runs
      for this component are listed here.
    </MessagePanel>
  )
}

import { Alert, Button, Content, Skeleton } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import { pullRequestFlowOf } from '@slipway/model/builds/build-pipeline-state'
import { componentsOf } from '@slipway/model/builds/component'
import { useQuery } from '@tanstack/react-query'
import { useList } from '../../api/source'
import type { ApplicationParams } from '../../paths'
import { components } from '../../resources/components'
import { latestBuilds } from '../../resources/latest-builds'
import { publicInfo } from '../../resources/public-info'
import { Dialog } from '../../ui/dialogs/Dialog'
import { byName, nameColumn } from '../../ui/table/common-columns'
import { PickTable } from '../../ui/table/PickTable'
import type { Column, Filter } from '../../ui/table/rows'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { BuildPipeline } from './BuildPipeline'
import { PipelineRequestButton } from './PipelineRequestButton'
import { PullRequestFailure } from './PullRequestFailure'
import { RepositoryLink } from './SourceLinks'
import { type BuiltComponent, builtComponentRows, useBuilds } from './use-builds'

interface BuildPipelinesDialogProps {
  at: ApplicationParams
  /** The only component to show; all of the application without it. */
  component?: string
  onClose: () => void
}

/** Where the build pipelines of components come from, and the pull requests that change it. */
export function BuildPipelinesDialog({ at, component, onClose }: BuildPipelinesDialogProps) {
  const { namespace, application } = at
  const { data: info } = useQuery(publicInfo.get())
  const listed = useList(components.listed(namespace), 'components')
  const own = listed.rows && componentsOf(listed.rows, application)
  const rows = own?.filter((each) => component === undefined || nameOf(each) === component)
  const source = useBuilds(at, { ...listed, rows }, latestBuilds.list(namespace, application))
  return (
    <Dialog
      title="Manage build pipeline"
      description={component === undefined ? `Application ${application}` : `Component ${component}`}
      variant="large"
      onClose={onClose}
      footer={
        <Button variant="secondary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <Content component="p">
        A pull request adds the build pipeline to the repository of a component. Once it is merged, every push is built.
        None is sent if you use a pipeline that is in the repository already. A rollback ends this, and sends a pull
        request that removes the pipeline.
      </Content>
      {source.rows && <UpgradedCount rows={source.rows} />}
      <PickTable
        label="Build pipelines"
        source={source}
        columns={columns}
        filters={component === undefined ? filters : none}
        at={{ namespace, githubAppUrl: info?.githubAppUrl }}
        empty={<Content component="p">There are no components.</Content>}
      />
    </Dialog>
  )
}

const none: Filter<BuiltComponent>[] = []
const filters: Filter<BuiltComponent>[] = [byName(builtComponentRows.nameOf)]

interface CellParams {
  namespace: string
  githubAppUrl: string | undefined
}

const columns: Column<BuiltComponent, CellParams>[] = [
  nameColumn(builtComponentRows.nameOf, { label: 'Component', width: 20 }),
  { id: 'source', label: 'Source', width: 20, cell: ({ component }) => <RepositoryLink component={component} /> },
  {
    id: 'pipeline',
    label: 'Build pipeline',
    wraps: true,
    cell: (row, { githubAppUrl }) => <PipelineState row={row} githubAppUrl={githubAppUrl} />,
  },
  {
    id: 'request',
    label: 'Pull request',
    wraps: true,
    width: 25,
    cell: ({ component, state }, { namespace }) => (
      <PipelineRequestButton namespace={namespace} component={nameOf(component)} state={state} />
    ),
  },
]

/** Read out when it changes, as it does when a pull request is merged. */
function UpgradedCount({ rows }: { rows: readonly BuiltComponent[] }) {
  const isKnown = rows.every(({ state, error }) => state !== 'loading' || error)
  const upgradedCount = rows.filter(({ state }) => state === 'ready').length
  return (
    <div role="status">
      {isKnown ? (
        <Content component="p">{`${upgradedCount} of ${rows.length} component(s) upgraded to custom build`}</Content>
      ) : (
        <Skeleton width="20rem" screenreaderText="Loading the build pipelines" />
      )}
    </div>
  )
}

function PipelineState({ row, githubAppUrl }: { row: BuiltComponent; githubAppUrl: string | undefined }) {
  const { component, state } = row
  if (state === 'sample') {
    return <Alert isInline isPlain variant="info" component="p" title="Samples cannot be upgraded" />
  }
  // The build service leaves the pull request of a rollback where it was that of the pipeline.
  const rollbackUrl = state === 'disabled' ? pullRequestFlowOf(component)?.mergeUrl : undefined
  return (
    <>
      <BuildPipeline row={row} />
      {rollbackUrl && (
        <>
          {' '}
          <ExternalLink href={rollbackUrl}>Rollback pull request</ExternalLink>
        </>
      )}
      {state === 'error' && <PullRequestFailure isPlain component={component} githubAppUrl={githubAppUrl} />}
    </>
  )
}

import CheckIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-check-circle-fill-icon'
import { factKinds } from '@slipway/model/comparison/run-facts'
import type { ComparedTask, Difference } from '@slipway/model/comparison/run-comparison'
import { repositoryOf, shortSha } from '@slipway/model/git/git-facts'
import { compareUrl } from '@slipway/model/git/git-host'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { shortImage } from '@slipway/model/snapshots/snapshot'
import type { RowKind, Source } from '../../api/source'
import { formatDuration } from '../../lib/dates'
import type { PipelineRunParams } from '../../paths'
import { CommitLink } from '../../parts/links'
import { Details } from '../../ui/page/Details'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { ListTable } from '../../ui/table/ListTable'
import type { Column, Filter } from '../../ui/table/rows'
import { Copyable } from '../../ui/text/Copyable'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { UserText } from '../../ui/text/UserText'

export interface RankedDifference extends Difference {
  /** 1 for the most suspicious one. */
  rank: number
}

const titleOf = ({ task, name }: Difference): string => (task === undefined ? name : `${task}: ${name}`)

export const differenceRows: RowKind<RankedDifference> = {
  idOf: ({ kind, task, name }) => JSON.stringify([kind, task, name]),
  nameOf: titleOf,
  isBeingDeleted: () => false,
}

interface RunDifferenceTableProps {
  source: Source<RankedDifference>
  tasks: readonly ComparedTask[] | undefined
  before: PipelineRun
  after: PipelineRun
  at: PipelineRunParams
}

/** What differs between two runs, the most suspicious first. */
export const RunDifferenceTable = ({ source, tasks, before, after, at }: RunDifferenceTableProps) => (
  <ListTable
    label="Differences"
    urlKey="differences"
    source={source}
    at={{ namespace: at.namespace, application: at.application, tasks, before, after }}
    firstSort="rank"
    columns={columns}
    filters={filters}
    details={detailsOf}
    empty={
      <MessagePanel titleText="No differences" icon={CheckIcon}>
        Both runs have the same commit, parameters, pipeline, tasks and results. What is behind the failure is not
        recorded in the runs: their logs may tell.
      </MessagePanel>
    }
  />
)

interface Place extends Pick<PipelineRunParams, 'namespace' | 'application'> {
  tasks: readonly ComparedTask[] | undefined
  before: PipelineRun
  after: PipelineRun
}

type Side = 'before' | 'after'

const columns: Column<RankedDifference, Place>[] = [
  { id: 'rank', label: 'Rank', widthRem: 5, sortBy: ({ rank }) => rank, cell: ({ rank }) => rank },
  {
    id: 'change',
    label: 'Change',
    widthRem: 9,
    sortBy: ({ kind }) => factKinds.indexOf(kind),
    cell: ({ kind }) => kind,
  },
  {
    id: 'name',
    label: 'What',
    width: 30,
    isRowHeader: true,
    sortBy: titleOf,
    cell: (difference) => <UserText text={titleOf(difference)} />,
  },
  { id: 'before', label: 'Before', cell: (difference, at) => <Value difference={difference} side="before" at={at} /> },
  { id: 'after', label: 'After', cell: (difference, at) => <Value difference={difference} side="after" at={at} /> },
]

const filters: Filter<RankedDifference>[] = [
  { id: 'text', label: 'text', text: (each) => [titleOf(each), each.before, each.after].join('\n') },
  { id: 'change', label: 'Change', choices: ({ kind }) => kind, values: factKinds },
]

interface ValueProps {
  difference: RankedDifference
  side: Side
  at: Place
}

function Value({ difference, side, at }: ValueProps) {
  const value = difference[side]
  if (value === undefined) return difference.kind === 'Task' ? 'Not in the pipeline' : 'Not set'
  switch (difference.kind) {
    case 'Commit':
      return (
        <>
          <CommitLink at={at} sha={value}>
            {shortSha(value)}
          </CommitLink>
          {side === 'after' && <CompareLink at={at} difference={difference} />}
        </>
      )
    case 'Duration':
      return formatDuration(at.tasks?.find(({ name }) => name === difference.task)?.[side]?.durationMs ?? 0)
    case 'Task':
      return 'In the pipeline'
    case 'Component':
    case 'Base image':
    case 'Step image':
      return <code>{shortImage(value)}</code>
    default:
      return value === '' ? 'Empty' : <UserText text={value} />
  }
}

/** The commits between, at the git host. */
function CompareLink({ difference: { before, after }, at }: Omit<ValueProps, 'side'>) {
  const url = before && after ? compareUrl(repositoryOf(at.after), before, after) : undefined
  return (
    url && (
      <>
        {' '}
        <ExternalLink href={url}>Compare</ExternalLink>
      </>
    )
  )
}

/** Both values in full. */
const detailsOf = (difference: RankedDifference) => (
  <Details
    label={titleOf(difference)}
    isNarrow
    items={(['before', 'after'] as const).map((side) => {
      const value = difference[side]
      return [side === 'before' ? 'Before' : 'After', value && <Copyable text={value} noun={`value ${side}`} />]
    })}
  />
)

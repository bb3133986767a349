import { nameOf, specOf } from '@slipway/kube/object'
import { commitShaOf, gitFactsOf, shortSha } from '@slipway/model/git/git-facts'
import { labels } from '@slipway/model/labels'
import { type Delivery, type DeliveryOutcome, type DeliveryStage, spentMs } from '@slipway/model/releases/delivery'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { Link } from 'react-router'
import { formatDuration } from '../../lib/dates'
import { type ApplicationParams, paths } from '../../paths'
import { applicationCrumbs } from '../../parts/applications/ApplicationSwitcher'
import { DeliveryStatus } from '../../parts/delivery/DeliveryStatus'
import { DeliveryTimesText } from '../../parts/delivery/DeliveryTimesText'
import { stageTexts } from '../../parts/delivery/stage-texts'
import { useDeliveries } from '../../parts/delivery/use-deliveries'
import { ComponentLink } from '../../parts/links'
import { snapshots } from '../../resources/snapshots'
import { Page } from '../../ui/page/Page'
import { route } from '../../ui/page/route'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { valueWidthsRem } from '../../ui/table/column-widths'
import { tablePreferences } from '../../ui/table/columns'
import { ageColumn, byName, byStatus, nameColumn, statusColumn } from '../../ui/table/common-columns'
import { ListTable } from '../../ui/table/ListTable'
import type { Column, Filter } from '../../ui/table/rows'
import { UserText } from '../../ui/text/UserText'
import '../../parts/commits/commits.css'

export const page = route(paths.deliveries, (at) => ({
  require: [{ verb: 'list', type: pipelineRunType, namespace: at.namespace }],
  read: [snapshots.listed(at.namespace, at.application)],
}))

const preferences = tablePreferences('deliveries-visible-columns')

export { DeliveryListPage as Component }
/** How long the changes of an application took from build to release, and what they waited for. */
function DeliveryListPage() {
  const at = page.useParams()
  const { source, completeSinceMs } = useDeliveries(at)
  return (
    <Page
      title="Deliveries"
      documentTitle={`${at.application} - Deliveries`}
      description={
        source.rows?.length ? (
          <DeliveryTimesText deliveries={source.rows} completeSinceMs={completeSinceMs} />
        ) : undefined
      }
      breadcrumbs={[...applicationCrumbs(at), { label: 'Deliveries' }]}
    >
      <ListTable
        label="Deliveries"
        at={at}
        source={source}
        sourceSort="-began"
        columns={columns}
        filters={filters}
        preferences={preferences}
        empty={
          <MessagePanel titleText="No deliveries found">
            A delivery is the way of a pushed change from its build to its release.
          </MessagePanel>
        }
      />
    </Page>
  )
}

const componentOf = ({ build }: Delivery) => build.metadata.labels?.[labels.component]
const planOf = ({ release }: Delivery) => release && specOf(release).releasePlan
const shaOf = ({ build }: Delivery) => commitShaOf(build)
const titleOf = ({ build }: Delivery) => gitFactsOf(commitShaOf(build), [build]).shaTitle ?? nameOf(build)
const began = ({ startMs }: Delivery) => new Date(startMs).toISOString()

/** How long a delivery waited in a stage or altogether. */
const waitColumn = (id: string, label: string, stage?: DeliveryStage): Column<Delivery, ApplicationParams> => ({
  id,
  label,
  width: 10,
  visibleFrom: stage ? '2xl' : 'lg',
  hiddenByDefault: stage !== undefined && stage !== 'build' && stage !== 'release',
  sortBy: ({ spans }) => spentMs(spans, 'waiting', stage),
  firstDirection: 'desc',
  cell: ({ spans }) => durationText(spentMs(spans, 'waiting', stage)),
})

const durationText = (ms: number) => (ms > 0 ? formatDuration(ms) : '-')

const columns: Column<Delivery, ApplicationParams>[] = [
  statusColumn('longWord', (delivery) => <DeliveryStatus delivery={delivery} />, { sortBy: ({ outcome }) => outcome }),
  nameColumn(titleOf, {
    label: 'Commit',
    linkTo: (delivery, at) => {
      const commit = shaOf(delivery)
      return commit && paths.commit({ ...at, commit })
    },
    prefix: (delivery) => (
      <>
        <code className="slipway-sha">{shortSha(shaOf(delivery) ?? '')}</code>{' '}
      </>
    ),
    cell: (delivery) => <UserText text={titleOf(delivery)} />,
  }),
  {
    id: 'component',
    label: 'Component',
    width: 15,
    visibleFrom: 'lg',
    sortBy: componentOf,
    cell: (delivery, at) => {
      const component = componentOf(delivery)
      return component ? <ComponentLink at={at} component={component} /> : '-'
    },
  },
  {
    id: 'release',
    label: 'Release',
    width: 15,
    visibleFrom: 'xl',
    sortBy: planOf,
    cell: (delivery, at) =>
      delivery.release ? (
        <Link to={paths.release({ ...at, release: nameOf(delivery.release) })}>{planOf(delivery)}</Link>
      ) : (
        '-'
      ),
  },
  ageColumn('began', 'Began', began),
  {
    id: 'total',
    label: 'Total',
    widthRem: valueWidthsRem.duration,
    sortBy: ({ startMs, endMs }) => endMs - startMs,
    firstDirection: 'desc',
    cell: ({ startMs, endMs }) => durationText(endMs - startMs),
  },
  waitColumn('waiting', 'Waiting'),
  waitColumn('waitingForBuild', `Waiting ${stageTexts.build.wait}`, 'build'),
  waitColumn('waitingForSnapshot', `Waiting ${stageTexts.snapshot.wait}`, 'snapshot'),
  waitColumn('waitingForTests', `Waiting ${stageTexts.tests.wait}`, 'tests'),
  waitColumn('waitingForRequest', `Waiting ${stageTexts.request.wait}`, 'request'),
  waitColumn('waitingForRelease', `Waiting ${stageTexts.release.wait}`, 'release'),
]

const outcomes: readonly DeliveryOutcome[] = [
  'Failed',
  'In Progress',
  'Not released',
  'Released',
  'Superseded',
  'Cancelled',
  'Unknown',
]

const filters: Filter<Delivery>[] = [
  byName((delivery) => `${titleOf(delivery)} ${shaOf(delivery)}`),
  byStatus(({ outcome }) => outcome, outcomes),
  { id: 'component', label: 'Component', choices: componentOf },
  { id: 'release plan', label: 'Release plan', choices: planOf },
]

import { Content } from '@patternfly/react-core'
import { nameOf, type KubeList } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { snapshotOf } from '@slipway/model/runs/run-actions'
import type { IntegrationTestScenario } from '@slipway/model/snapshots/integration-test-scenario'
import { createdAt, newestFirst } from '@slipway/model/newest'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import { isUnmerged, originOfSnapshot, referenceOf } from '@slipway/model/snapshots/snapshot-origin'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { originOf } from '../../api/archive/origin'
import { type ApplicationParams, paths } from '../../paths'
import { runTestWrite } from '../../resources/run-requests'
import { snapshots } from '../../resources/snapshots'
import { fieldsOf } from '../../ui/form/fields'
import { FormDialog } from '../../ui/form/FormDialog'
import { issueUnless } from '../../ui/form/issue-unless'
import type { Option } from '../../ui/form/options'
import { useResourceForm } from '../../ui/form/resource-form'
import { useNow } from '../../ui/text/now'
import { formatRelative } from '../../lib/dates'

interface RunTestDialogProps {
  at: ApplicationParams
  test: IntegrationTestScenario
  /** Its snapshot is selected at first. */
  latest: PipelineRun | undefined
  onClose: () => void
}

const { SelectField } = fieldsOf<{ snapshot: string }>()

/** Runs a test on a snapshot, and then goes there, where its result appears. */
export function RunTestDialog(props: RunTestDialogProps) {
  const { at, latest } = props
  const all = useQuery({ ...snapshots.listed(at.namespace, at.application), select: itemsNewestFirst })
  const choice = all.data ? firstChoice(all.data, latest) : ''
  // The form starts again once there is a snapshot to select: until then, nothing could be entered.
  return <RunTestForm key={choice === '' ? 'empty' : 'filled in'} {...props} all={all} choice={choice} />
}

interface RunTestFormProps extends Omit<RunTestDialogProps, 'latest'> {
  /** The newest first. */
  all: UseQueryResult<Snapshot[]>
  /** Selected at first. */
  choice: string
}

function RunTestForm({ at, test, all: { data: all, ...query }, choice, onClose }: RunTestFormProps) {
  const navigate = useNavigate()
  const now = useNow(60_000)
  const find = (name: string) => all?.find((each) => nameOf(each) === name)
  const form = useResourceForm({
    schema: z.object({
      snapshot: z.string().check(issueUnless((name) => snapshotError(name, find(name)))),
    }),
    defaults: { snapshot: choice },
    toWrites: ({ snapshot }) => {
      const chosen = find(snapshot)
      return chosen ? [runTestWrite(chosen, nameOf(test))] : []
    },
    isConfirmation: true,
    onDone: (_, { snapshot }) => {
      onClose()
      return navigate(paths.snapshot({ ...at, snapshot }))
    },
    onCancel: onClose,
  })
  return (
    <FormDialog title={`Run ${nameOf(test)} on a snapshot`} submitLabel="Run test" variant="medium" form={form}>
      <Content component="p">The current version of this test runs on it, whatever the contexts of the test.</Content>
      <SelectField
        name="snapshot"
        label="Snapshot"
        options={{ ...query, data: all?.map((each) => toOption(each, now)) }}
        isRequired
      />
    </FormDialog>
  )
}

const itemsNewestFirst = ({ items }: KubeList<Snapshot>): Snapshot[] => items.toSorted(newestFirst)

/** That of the latest run, which can be compared with the new one, or the newest one without changes of pull requests. */
function firstChoice(all: readonly Snapshot[], latest: PipelineRun | undefined): string {
  const tested = latest && snapshotOf(latest)
  const choice = all.find((each) => nameOf(each) === tested) ?? all.find((each) => !isUnmerged(each)) ?? all[0]
  return choice ? nameOf(choice) : ''
}

function snapshotError(name: string, snapshot: Snapshot | undefined): string | undefined {
  if (name === '') return 'Required'
  if (!snapshot || originOf(snapshot)) return 'This snapshot has been deleted from the cluster.'
  // The integration service removes the label once it has started the tests.
  return snapshot.metadata.labels?.[labels.rerun] === undefined
    ? undefined
    : 'A run on this snapshot has already been requested. Wait until it has started.'
}

function toOption(snapshot: Snapshot, nowMs: number): Option {
  const { shaTitle } = referenceOf(snapshot)
  const name = nameOf(snapshot)
  return {
    value: name,
    label: shaTitle ? `${name}: ${shaTitle}` : name,
    description: `${originOfSnapshot(snapshot)}, created ${formatRelative(createdAt(snapshot), nowMs)}`,
  }
}

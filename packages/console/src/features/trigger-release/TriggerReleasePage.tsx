import { type KubeList, type KubeObject, nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import { isStatus } from '@slipway/kube/status'
import { newestFirst } from '@slipway/model/newest'
import type { ReleasePlan } from '@slipway/model/releases/release-plan'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import { triggerOf } from '@slipway/model/snapshots/snapshot-origin'
import { snapshotStatus } from '@slipway/model/snapshots/snapshot-status'
import { applicationOfPlan, planConcern, snapshotConcern } from '@slipway/model/releases/triggered-release'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { formatZonedDate } from '../../lib/dates'
import { paths } from '../../paths'
import { releasePlans, triggerReleasePermission } from '../../resources/release-plans'
import { snapshots } from '../../resources/snapshots'
import { reportSuccess } from '../../ui/actions/object-actions'
import { LoadFailure } from '../../ui/failures/LoadFailure'
import { fieldsOf } from '../../ui/form/fields'
import { FormPage } from '../../ui/form/FormPage'
import type { Option } from '../../ui/form/options'
import { useResourceForm } from '../../ui/form/resource-form'
import { Page } from '../../ui/page/Page'
import { route } from '../../ui/page/route'
import { LabelRows } from '../../parts/secrets/LabelRows'
import { BugsField } from './BugsField'
import { ContentsPreview } from './ContentsPreview'
import { CvesField } from './CvesField'
import { NamedFixesNote } from './NamedFixesNote'
import { ScannedFixes } from './ScannedFixes'
import {
  emptyTrigger,
  findNamed,
  isSelectable,
  toWrites,
  triggerErrorFields,
  type TriggerInput,
  triggerSchema,
} from './trigger-release-form'
import { unwrittenRelease } from './unwritten-release'
import { useClearedSnapshot } from './use-cleared-snapshot'
import { useSnapshotFixes } from './use-snapshot-fixes'

export const page = route(paths.triggerRelease, ({ namespace }) => ({
  require: triggerReleasePermission.checks(namespace),
  waitFor: [releasePlans.prospects(namespace)],
}))

export { TriggerReleasePage as Component }
function TriggerReleasePage() {
  const { namespace } = page.useParams()
  const [query] = useSearchParams()
  const { data, error, isFetching, refetch } = useQuery(releasePlans.prospects(namespace))
  if (data) {
    const prefilled = { releasePlan: query.get('releasePlan') ?? '', snapshot: query.get('snapshot') ?? '' }
    // Other selections in the address need a new form.
    const key = [namespace, ...Object.values(prefilled)].join('/')
    return <TriggerForm key={key} namespace={namespace} plans={data.items} prefilled={prefilled} />
  }
  return (
    <Page {...headingOf(namespace)}>
      {error && (
        <LoadFailure noun="release plans" error={error} isRetrying={isFetching} onRetry={() => void refetch()} />
      )}
    </Page>
  )
}

const headingOf = (namespace: string) => ({
  title: 'Trigger release plan',
  breadcrumbs: [{ label: 'Releases', to: paths.releaseArea({ namespace }) }, { label: 'Trigger release plan' }],
})

interface TriggerFormProps {
  namespace: string
  plans: readonly ReleasePlan[]
  prefilled: Pick<TriggerInput, 'releasePlan' | 'snapshot'>
}

const { SelectField, TextField, TextAreaField, FieldRows } = fieldsOf<TriggerInput>()

function TriggerForm({ namespace, plans, prefilled }: TriggerFormProps) {
  const navigate = useNavigate()
  const [releasePlan, setReleasePlan] = useState(prefilled.releasePlan)
  const plan = findNamed(plans, releasePlan)
  const application = applicationOf(plan)
  const query = { ...snapshots.listed(namespace, application ?? ''), enabled: application !== undefined }
  const list = useQuery(query)
  const options = useQuery({ ...query, select: snapshotOptions })
  const choices = { plans, snapshots: application === undefined ? undefined : list.data?.items }
  const form = useResourceForm({
    schema: triggerSchema(choices),
    defaults: { ...emptyTrigger, ...prefilled },
    revalidateOn: { releasePlan: plans, snapshot: choices.snapshots },
    isPrefilled: Object.values(prefilled).some(Boolean),
    toWrites: (values) =>
      toWrites({ namespace, application: applicationOf(findNamed(plans, values.releasePlan)) }, values),
    errorFields: triggerErrorFields,
    onDone: ([applied], values) => {
      const application = applicationOf(findNamed(plans, values.releasePlan))
      const created = applied?.result
      if (created && !isStatus(created)) reportSuccess(created, 'Release triggered.', releaseLink(created, application))
      return navigate(releasesOf(namespace, application))
    },
    onCancel: () => navigate(paths.releaseArea({ namespace })),
  })
  const cleared = useClearedSnapshot(form.fields, choices.snapshots)
  const selected = form.fields.watch('snapshot')
  const snapshot = findNamed(choices.snapshots, selected)
  const { application: ownApplication, components, fixes, error } = useSnapshotFixes(namespace, selected)
  return (
    <FormPage {...headingOf(namespace)} submitLabel="Trigger" form={form}>
      <SelectField
        name="releasePlan"
        label="Release plan"
        description="Its application decides which snapshots can be released."
        warning={plan && planConcern(plan)}
        options={planOptions(plans, ownApplication)}
        onValue={setReleasePlan}
        isRequired
      />
      <SelectField
        name="snapshot"
        label="Snapshot"
        description={snapshotHelp(plan, application)}
        warning={
          snapshot
            ? snapshotConcern(snapshot)
            : !selected && cleared
              ? `${cleared} was cleared, since ${application} has no such snapshot.`
              : undefined
        }
        options={application === undefined ? [] : options}
        isRequired
      />
      {application !== undefined && snapshot && (
        <ContentsPreview releasePlan={releasePlan} snapshot={selected} at={{ namespace, application }} />
      )}
      <NamedFixesNote fixes={fixes} error={error} />
      <BugsField />
      <CvesField components={components} />
      {application !== undefined && snapshot && (
        <ScannedFixes
          key={`${releasePlan} ${selected}`}
          release={unwrittenRelease(namespace, releasePlan, selected)}
          at={{ namespace, application }}
        />
      )}
      <TextField name="synopsis" label="Synopsis" description="The release in one line." />
      <TextAreaField name="topic" label="Topic" />
      <TextAreaField name="description" label="Description" />
      <TextAreaField name="solution" label="Solution" />
      <FieldRows name="references" label="References" noun="reference" newRow={() => ({ url: '' })} isOrderFixed>
        {(index) => <TextField name={`references.${index}.url`} label="URL" placeholder="https://" />}
      </FieldRows>
      <LabelRows />
    </FormPage>
  )
}

const applicationOf = (plan: ReleasePlan | undefined): string | undefined => plan && applicationOfPlan(plan)

/** `undefined` for a release without an application, which has no page. */
const releaseLink = (release: KubeObject, application: string | undefined) =>
  application && (
    <p>
      <Link to={paths.release({ namespace: namespaceOf(release) ?? '', application, release: nameOf(release) })}>
        View release
      </Link>
    </p>
  )

/** Where the new release is listed. A plan of a component group has no such list. */
const releasesOf = (namespace: string, application: string | undefined): string =>
  application === undefined ? paths.releasePlans({ namespace }) : paths.releases({ namespace, application })

function snapshotHelp(plan: ReleasePlan | undefined, application: string | undefined): string {
  if (!plan) return 'Select a release plan first.'
  if (application === undefined) return `${nameOf(plan)} names no application, so its snapshots are not known.`
  return `Snapshots of ${application}, the newest first.`
}

/** @param application its plans come first */
const planOptions = (plans: readonly ReleasePlan[], application: string | undefined): Option[] =>
  plans
    .filter(isSelectable)
    .map((plan) => ({ plan, isOther: applicationOfPlan(plan) !== application }))
    .sort((a, b) => Number(a.isOther) - Number(b.isOther) || (nameOf(a.plan) < nameOf(b.plan) ? -1 : 1))
    .map(({ plan }) => {
      const { target } = specOf(plan)
      return {
        value: nameOf(plan),
        description: `Releases ${applicationOfPlan(plan) ?? 'a component group'}${target ? ` to ${target}` : ''}`,
      }
    })

const snapshotOptions = ({ items }: KubeList<Snapshot>): Option[] =>
  items
    .filter(isSelectable)
    .toSorted(newestFirst)
    .map((snapshot) => ({
      value: nameOf(snapshot),
      description: [
        triggerOf(snapshot),
        snapshotStatus(snapshot),
        snapshot.metadata.creationTimestamp && formatZonedDate(snapshot.metadata.creationTimestamp),
      ]
        .filter(Boolean)
        .join(' · '),
    }))

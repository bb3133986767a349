import { Alert, Content } from '@patternfly/react-core'
import { nameOf, specOf } from '@slipway/kube/object'
import { type Release, releaseType } from '@slipway/model/releases/release'
import { releaseNotes } from '@slipway/model/releases/release-notes'
import { rerunRelease } from '@slipway/model/releases/release-rerun'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { isMissing, originOf } from '../../api/archive/origin'
import { userQuery } from '../../api/session/session'
import { create, type WriteResult } from '../../api/writes/writes'
import { type ApplicationParams, paths, type ReleaseParams } from '../../paths'
import { releasePlans } from '../../resources/release-plans'
import { releases } from '../../resources/releases'
import { snapshots } from '../../resources/snapshots'
import { Dialog } from '../../ui/dialogs/Dialog'
import { StatusBox } from '../../ui/failures/StatusBox'
import { ConfirmDialog } from '../../ui/form/ConfirmDialog'
import { type DetailItem, Details } from '../../ui/page/Details'
import { KeyValues } from '../../ui/text/KeyValues'

interface RerunReleaseDialogProps {
  at: ReleaseParams
  onClose: () => void
}

/** Shows what a rerun of a release copies, and creates it. A row of a list is only a part of the release. */
export function RerunReleaseDialog({ at, onClose }: RerunReleaseDialogProps) {
  const release = useQuery(releases.get(at.namespace, at.release))
  const user = useQuery(userQuery)
  if (release.data && user.data)
    return <ConfirmRerun at={at} release={release.data} email={user.data.email} onClose={onClose} />
  return (
    <Dialog title={`Re-run ${at.release}?`} variant="small" onClose={onClose}>
      <StatusBox label="release" data={undefined} error={release.error ?? user.error}>
        {() => null}
      </StatusBox>
    </Dialog>
  )
}

interface ConfirmRerunProps {
  at: ApplicationParams
  release: Release
  email: string
  onClose: () => void
}

function ConfirmRerun({ at, release, email, onClose }: ConfirmRerunProps) {
  const navigate = useNavigate()
  const rerun = rerunRelease(release, email, at.application)
  return (
    <ConfirmDialog
      title={`Re-run ${nameOf(release)}?`}
      confirmLabel="Re-run"
      writes={[create(releaseType, rerun)]}
      onDone={([created]) => {
        const name = created?.result && generatedName(created.result)
        if (name) void navigate(paths.release({ ...at, release: name }))
      }}
      onClose={onClose}
    >
      <Content component="p">
        This creates a new release. It is a copy of this one, without its status, and starts from the beginning.
      </Content>
      <MissingParts at={at} release={release} />
      <Details isNarrow label="New release" items={factsOf(rerun)} />
    </ConfirmDialog>
  )
}

/** A create is answered with the object. */
const generatedName = ({ metadata }: WriteResult): string | undefined =>
  'name' in metadata ? metadata.name : undefined

function factsOf(rerun: Release): DetailItem[] {
  const { releasePlan, snapshot, gracePeriodDays } = specOf(rerun)
  const notes = releaseNotes(rerun)
  return [
    ['Name', `${rerun.metadata.generateName}…`],
    ['Release plan', releasePlan ?? null],
    ['Snapshot', snapshot ?? null],
    ['Release notes', notes ? (notes.synopsis ?? 'Copied') : 'None'],
    ['Grace period', gracePeriodDays === undefined ? undefined : `${gracePeriodDays} days`],
    ['Labels', <KeyValues label="Labels" values={rerun.metadata.labels} />],
    ['Annotations', <KeyValues label="Annotations" values={rerun.metadata.annotations} />],
  ]
}

/** Warns of what the new release needs and the cluster no longer has. */
function MissingParts({ at, release }: Pick<ConfirmRerunProps, 'at' | 'release'>) {
  const { releasePlan = '', snapshot = '' } = specOf(release)
  const plan = useQuery({ ...releasePlans.get(at.namespace, releasePlan), enabled: releasePlan !== '' })
  const images = useQuery({ ...snapshots.get(at.namespace, snapshot), enabled: snapshot !== '' })
  const missing = [
    ...(isMissing(plan.error) ? [`release plan ${releasePlan}`] : []),
    ...(isMissing(images.error) || (images.data && originOf(images.data)) ? [`snapshot ${snapshot}`] : []),
  ]
  if (missing.length === 0) return null
  return (
    <Alert isInline isLiveRegion variant="warning" component="p" title="The new release will fail">
      The {missing.join(' and the ')} no longer {missing.length > 1 ? 'exist' : 'exists'} in the cluster.
    </Alert>
  )
}

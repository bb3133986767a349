import { type Release, releaseType } from '@slipway/model/releases/release'
import { useObject } from '../../api/source'
import { paths } from '../../paths'
import { releases } from '../../resources/releases'
import { actionChecks } from '../../ui/actions/defined-action'
import { useActions } from '../../ui/actions/use-actions'
import { applicationCrumbs } from '../../parts/applications/ApplicationSwitcher'
import { DetailLayout } from '../../ui/page/DetailLayout'
import { route } from '../../ui/page/route'
import { ReleaseStatusLabel } from '../../parts/releases/ReleaseStatusLabel'
import { RelativeTime } from '../../ui/text/RelativeTime'
import { releaseActions } from '../../parts/releases/release-actions'

export const page = route(paths.release, ({ namespace, release }) => ({
  require: [{ verb: 'list', type: releaseType, namespace }],
  check: actionChecks(namespace, ...releaseActions),
  read: [releases.get(namespace, release)],
}))

export { ReleaseLayout as Component }
function ReleaseLayout() {
  const at = page.useParams()
  const { actionsOf, dialog } = useActions(releaseActions, at)
  return (
    <>
      <DetailLayout
        kind="Release"
        name={at.release}
        source={useObject(releases.ofApplication(at.namespace, at.application, at.release))}
        breadcrumbs={[...applicationCrumbs(at), { label: 'Releases', to: paths.releases(at) }, { label: at.release }]}
        label={(release) => <HeaderFacts release={release} />}
        actions={actionsOf}
        tabs={[
          { label: 'Overview', to: paths.release(at) },
          { label: 'Pipeline runs', to: paths.releasePipelineRuns(at) },
          { label: 'Release artifacts', to: paths.releaseArtifacts(at) },
        ]}
      />
      {dialog}
    </>
  )
}

const HeaderFacts = ({ release }: { release: Release }) => (
  <>
    <ReleaseStatusLabel release={release} />
    <RelativeTime time={release.metadata.creationTimestamp} />
  </>
)

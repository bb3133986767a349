import { type Release, releaseType } from '@slipway/model/supply-chain/release'
import { useState } from 'react'
import { useObject } from '../../api/source'
import { paths } from '../../paths'
import { triggerReleaseChecks } from '../../resources/release-plans'
import { releases } from '../../resources/releases'
import { applicationCrumbs } from '../../ui/applications/ApplicationSwitcher'
import { DetailLayout } from '../../ui/page/DetailLayout'
import { createLoader } from '../../ui/page/needs'
import { useRequiredParams } from '../../ui/page/route-params'
import { ReleaseStatusLabel } from '../../ui/releases/ReleaseStatusLabel'
import { RelativeTime } from '../../ui/text/RelativeTime'
import { RerunReleaseDialog, useReleaseActions } from './release-actions'

export const loader = createLoader(['namespace', 'release'], ({ namespace, release }) => ({
  require: [{ verb: 'list', type: releaseType, namespace }],
  check: triggerReleaseChecks(namespace),
  read: [releases.get(namespace, release)],
}))

export { ReleaseLayout as Component }
function ReleaseLayout() {
  const at = useRequiredParams('namespace', 'application', 'release')
  const [isRerunning, setIsRerunning] = useState(false)
  const actions = useReleaseActions(at.namespace, () => setIsRerunning(true))
  return (
    <>
      <DetailLayout
        kind="Release"
        name={at.release}
        source={useObject(releases.ofApplication(at.namespace, at.application, at.release))}
        breadcrumbs={[...applicationCrumbs(at), { label: 'Releases', to: paths.releases(at) }, { label: at.release }]}
        label={(release) => <HeaderFacts release={release} />}
        actions={actions}
        tabs={[
          { label: 'Overview', to: paths.release(at) },
          { label: 'Pipeline runs', to: paths.releasePipelineRuns(at) },
          { label: 'Release artifacts', to: paths.releaseArtifacts(at) },
        ]}
      />
      {isRerunning && <RerunReleaseDialog at={at} onClose={() => setIsRerunning(false)} />}
    </>
  )
}

const HeaderFacts = ({ release }: { release: Release }) => (
  <>
    <ReleaseStatusLabel release={release} />
    <RelativeTime time={release.metadata.creationTimestamp} />
  </>
)

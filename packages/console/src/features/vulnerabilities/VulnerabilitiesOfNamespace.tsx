import { lastReleasedOf } from '@slipway/model/releases/snapshot-baseline'
import { foundIn } from '@slipway/model/vulnerabilities/scans'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type ApplicationParams, paths } from '../../paths'
import { applicationCrumbs } from '../../parts/applications/ApplicationSwitcher'
import { useComponentScans } from '../../parts/vulnerabilities/use-scans'
import { VulnerabilityTable, type VulnerabilityTableProps } from '../../parts/vulnerabilities/VulnerabilityTable'
import { releases } from '../../resources/releases'
import { ButtonLink } from '../../ui/actions/ButtonLink'
import { Page } from '../../ui/page/Page'
import { ReleasedNote } from './ReleasedNote'
import { useMarkedNew } from './use-marked-new'

interface NamespaceScope {
  namespace: string
  application: string | undefined
}

/** The vulnerabilities of the newest builds of a namespace, or of one of its applications. */
export function VulnerabilitiesOfNamespace({ namespace, application }: NamespaceScope) {
  const at = application === undefined ? undefined : { namespace, application }
  const { scans } = useComponentScans(namespace, { application }, 1)
  const found = useMemo(() => scans.rows && foundIn(scans.rows), [scans.rows])
  return (
    <Page
      title="Vulnerabilities"
      documentTitle={[application, 'Vulnerabilities'].filter(Boolean).join(' - ')}
      description={`What scans found in the newest builds of the components of ${application ?? 'this namespace'}. Those of pull requests are left out.`}
      breadcrumbs={[
        ...(at ? applicationCrumbs(at) : [{ label: 'Applications', to: paths.applications({ namespace }) }]),
        { label: 'Vulnerabilities' },
      ]}
      actions={
        <ButtonLink variant="link" to={paths.allVulnerabilities()}>
          View all namespaces
        </ButtonLink>
      }
    >
      {at ? (
        <NewInApplication at={at} scans={scans} found={found} />
      ) : (
        <VulnerabilityTable subject="namespace" at={{ namespace }} scans={scans} found={found} />
      )}
    </Page>
  )
}

/** Compared with what the application has released last. */
function NewInApplication({
  at,
  scans,
  found,
}: { at: ApplicationParams } & Pick<VulnerabilityTableProps, 'scans' | 'found'>) {
  const { data: released } = useQuery(releases.progress(at.namespace))
  const marked = useMarkedNew(at.namespace, found, released && lastReleasedOf(at.application, released.items))
  return (
    <>
      <ReleasedNote at={at} released={marked.released} />
      <VulnerabilityTable subject="application" at={at} scans={scans} found={marked.found} />
    </>
  )
}

import { nameOf } from '@slipway/kube/object'
import { useSearchParams } from 'react-router'
import { useList } from '../../api/source'
import { paths } from '../../paths'
import { nameOfVulnerability } from '../../parts/security/vulnerability-links'
import { namespaces } from '../../resources/namespaces'
import { Page } from '../../ui/page/Page'
import { route } from '../../ui/page/route'
import { AffectedComponents } from './AffectedComponents'
import { SpreadTable } from './SpreadTable'
import { SurveyStatus } from './SurveyStatus'
import { useSurvey } from './use-survey'

export const page = route(paths.allVulnerabilities, () => ({ waitFor: [namespaces.list()] }))

export { AllVulnerabilitiesPage as Component }
/** The vulnerabilities of all namespaces, or the components that have one of them. */
function AllVulnerabilitiesPage() {
  const [query] = useSearchParams()
  const name = query.get(nameOfVulnerability)?.trim() ?? ''
  const all = useList(namespaces.list(), 'namespaces').rows?.map(nameOf) ?? []
  return (
    <Page
      title={name ? `Components with ${name}` : 'Vulnerabilities in all namespaces'}
      description="What scans found in the newest successful build of each component. Builds of pull requests are left out."
      breadcrumbs={
        name ? [{ label: 'Vulnerabilities in all namespaces', to: paths.allVulnerabilities() }, { label: name }] : []
      }
    >
      <Surveyed namespaces={all} name={name} />
    </Page>
  )
}

function Surveyed({ namespaces: all, name }: { namespaces: readonly string[]; name: string }) {
  const survey = useSurvey(all)
  return (
    <>
      <SurveyStatus survey={survey} />
      {name ? <AffectedComponents survey={survey} name={name} /> : <SpreadTable survey={survey} />}
    </>
  )
}

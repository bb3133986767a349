import { Outlet, useLocation } from 'react-router'
import { paths } from '../../paths'
import { actionChecks } from '../../ui/actions/defined-action'
import { DefinedButton } from '../../ui/actions/DefinedButton'
import { Page } from '../../ui/page/Page'
import { currentTab, PageTabs } from '../../ui/page/PageTabs'
import { route } from '../../ui/page/route'
import { createReleasePlan } from '../../parts/releases/actions'

export const page = route(paths.releaseArea, ({ namespace }) => ({
  check: actionChecks(namespace, createReleasePlan),
}))

export { ReleaseAreaLayout as Component }
/** Each tab requires its own permission. */
function ReleaseAreaLayout() {
  const at = page.useParams()
  const tabs = [
    { label: 'Release Plan', to: paths.releaseArea(at) },
    { label: 'Release Plan Admission', to: paths.releasePlanAdmissions(at) },
  ]
  const current = currentTab(tabs, useLocation().pathname)
  return (
    <Page
      title="Releases"
      documentTitle={current?.label}
      description="Manage all your releases in this namespace."
      breadcrumbs={[{ label: 'Releases' }]}
      actions={<DefinedButton action={createReleasePlan} at={at} />}
    >
      <PageTabs label="Releases" tabs={tabs} current={current}>
        <Outlet />
      </PageTabs>
    </Page>
  )
}

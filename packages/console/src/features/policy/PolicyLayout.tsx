import { taskRunType } from '@slipway/model/runs/task-run'
import { Outlet, useLocation, useParams } from 'react-router'
import { paths } from '../../paths'
import { applicationCrumbs } from '../../parts/applications/ApplicationSwitcher'
import { Page } from '../../ui/page/Page'
import { currentTab, PageTabs } from '../../ui/page/PageTabs'
import { route } from '../../ui/page/route'

export const page = route(paths.policy, ({ namespace }) => ({
  require: [{ verb: 'list', type: taskRunType, namespace }],
}))

export { PolicyLayout as Component }
/** The policy of a namespace, or of one of its applications. */
function PolicyLayout() {
  const { namespace } = page.useParams()
  const { application } = useParams()
  const at = application === undefined ? undefined : { namespace, application }
  const tabs = at
    ? [
        { label: 'Results', to: paths.applicationPolicy(at) },
        { label: 'Dates', to: paths.applicationPolicyDates(at) },
      ]
    : [
        { label: 'Results', to: paths.policy({ namespace }) },
        { label: 'Dates', to: paths.policyDates({ namespace }) },
      ]
  const current = currentTab(tabs, useLocation().pathname)
  return (
    <Page
      title="Policy"
      documentTitle={[at?.application, `Policy ${current?.label.toLowerCase()}`].filter(Boolean).join(' - ')}
      description={
        at
          ? `What the latest verifications say about the components of ${at.application}.`
          : 'What the latest verifications say about the components of this namespace.'
      }
      breadcrumbs={[
        ...(at ? applicationCrumbs(at) : [{ label: 'Applications', to: paths.applications({ namespace }) }]),
        { label: 'Policy' },
      ]}
    >
      <PageTabs label="Policy" tabs={tabs} current={current}>
        <Outlet />
      </PageTabs>
    </Page>
  )
}

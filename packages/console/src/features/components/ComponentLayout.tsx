import { componentType } from '@slipway/model/builds/component'
import { useObject } from '../../api/source'
import { paths } from '../../paths'
import { components } from '../../resources/components'
import { actionChecks } from '../../ui/actions/defined-action'
import { useActions } from '../../ui/actions/use-actions'
import { activityParts } from '../../parts/activity/activity-tabs'
import { applicationCrumbs } from '../../parts/applications/ApplicationSwitcher'
import { DetailLayout } from '../../ui/page/DetailLayout'
import { route } from '../../ui/page/route'
import { componentActions } from './component-actions'

export const page = route(paths.component, ({ namespace, component }) => ({
  require: [{ verb: 'list', type: componentType, namespace }],
  check: actionChecks(namespace, ...componentActions),
  read: [components.get(namespace, component)],
}))

export { ComponentLayout as Component }
function ComponentLayout() {
  const at = page.useParams()
  const { namespace, application, component: name } = at
  const { actionsOf, dialog } = useActions(componentActions, at, { afterDelete: paths.components(at) })
  return (
    <>
      <DetailLayout
        kind="Component"
        name={name}
        source={useObject(components.ofApplication(namespace, application, name))}
        breadcrumbs={[...applicationCrumbs(at), { label: 'Components', to: paths.components(at) }, { label: name }]}
        actions={actionsOf}
        tabs={[
          { label: 'Component details', to: paths.component(at) },
          {
            label: 'Activity',
            to: paths.componentActivity(at),
            parts: activityParts((activityTab) => paths.componentActivityTab({ ...at, activityTab }), 'Commits'),
          },
          { label: 'Dependency updates', to: paths.dependencyUpdates(at) },
          { label: 'Vulnerabilities', to: paths.componentVulnerabilities(at) },
        ]}
      />
      {dialog}
    </>
  )
}

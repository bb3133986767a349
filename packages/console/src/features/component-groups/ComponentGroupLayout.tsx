import { componentGroupType } from '@slipway/model/builds/component-group'
import { useObject } from '../../api/source'
import { paths } from '../../paths'
import { componentGroups } from '../../resources/component-groups'
import { actionChecks } from '../../ui/actions/defined-action'
import { useActions } from '../../ui/actions/use-actions'
import { DetailLayout } from '../../ui/page/DetailLayout'
import { route } from '../../ui/page/route'
import { componentGroupActions } from './component-group-actions'

export const page = route(paths.componentGroup, ({ namespace, componentGroup }) => ({
  require: [{ verb: 'get', type: componentGroupType, namespace }],
  check: actionChecks(namespace, ...componentGroupActions),
  read: [componentGroups.get(namespace, componentGroup)],
}))

export { ComponentGroupLayout as Component }
function ComponentGroupLayout() {
  const at = page.useParams()
  const { namespace, componentGroup: name } = at
  const list = paths.componentGroups(at)
  const { actionsOf, dialog } = useActions(componentGroupActions, at, { afterDelete: list })
  return (
    <>
      <DetailLayout
        kind="Component group"
        name={name}
        source={useObject(componentGroups.get(namespace, name))}
        breadcrumbs={[{ label: 'Component groups', to: list }, { label: name }]}
        actions={actionsOf}
        tabs={[
          { label: 'Overview', to: paths.componentGroup(at) },
          { label: 'Test graph', to: paths.componentGroupTests(at) },
        ]}
      />
      {dialog}
    </>
  )
}

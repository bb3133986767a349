import { type Component, componentType } from '@slipway/model/supply-chain/component'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useObject } from '../../api/source'
import { paths } from '../../paths'
import { components } from '../../resources/components'
import { activityParts } from '../../ui/activity/activity-tabs'
import { applicationCrumbs } from '../../ui/applications/ApplicationSwitcher'
import { LazyBuildPipelinesDialog } from '../../ui/components/LazyBuildPipelinesDialog'
import { DetailLayout } from '../../ui/page/DetailLayout'
import { createLoader } from '../../ui/page/needs'
import { useRequiredParams } from '../../ui/page/route-params'
import { componentActionChecks, DeleteComponentDialog, useComponentActions } from './component-actions'

export const loader = createLoader(['namespace', 'component'], ({ namespace, component }) => ({
  require: [{ verb: 'list', type: componentType, namespace }],
  check: componentActionChecks(namespace),
  read: [components.get(namespace, component)],
}))

export { ComponentLayout as Component }
function ComponentLayout() {
  const at = useRequiredParams('namespace', 'application', 'component')
  const { namespace, application, component: name } = at
  const navigate = useNavigate()
  const [deleting, setDeleting] = useState<Component>()
  const [isEditingPipeline, setIsEditingPipeline] = useState(false)
  const actions = useComponentActions(namespace, {
    onEditPipeline: () => setIsEditingPipeline(true),
    onDelete: setDeleting,
  })
  return (
    <>
      <DetailLayout
        kind="Component"
        name={name}
        source={useObject(components.ofApplication(namespace, application, name))}
        breadcrumbs={[...applicationCrumbs(at), { label: 'Components', to: paths.components(at) }, { label: name }]}
        actions={actions}
        tabs={[
          { label: 'Component details', to: paths.component(at) },
          {
            label: 'Activity',
            to: paths.componentActivity(at),
            parts: activityParts((activityTab) => paths.componentActivityTab({ ...at, activityTab }), 'Commits'),
          },
        ]}
      />
      {isEditingPipeline && (
        <LazyBuildPipelinesDialog at={at} component={name} onClose={() => setIsEditingPipeline(false)} />
      )}
      {deleting && (
        <DeleteComponentDialog
          component={deleting}
          onClose={() => setDeleting(undefined)}
          onDeleted={() => void navigate(paths.components(at))}
        />
      )}
    </>
  )
}

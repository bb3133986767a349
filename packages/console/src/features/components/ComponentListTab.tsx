import { Alert } from '@patternfly/react-core'
import ComponentsIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-module-icon'
import { nameOf, uidOf } from '@slipway/kube/object'
import { lacksBuildPipeline } from '@slipway/model/builds/build-pipeline-state'
import { componentsOf, componentType } from '@slipway/model/builds/component'
import { useList } from '../../api/source'
import { type ApplicationParams, paths } from '../../paths'
import { components } from '../../resources/components'
import { publicInfo } from '../../resources/public-info'
import type { Action } from '../../ui/action'
import { ActionButton } from '../../ui/actions/ActionButton'
import { actionChecks } from '../../ui/actions/defined-action'
import { DefinedButton } from '../../ui/actions/DefinedButton'
import { useAction, useActions } from '../../ui/actions/use-actions'
import { addComponent } from '../../parts/components/actions'
import { BuildPipeline } from '../../parts/components/BuildPipeline'
import { type BuiltComponent, builtComponentRows, useNeededBuilds } from '../../parts/components/use-builds'
import { ComponentLink } from '../../parts/links'
import { route } from '../../ui/page/route'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { tablePreferences } from '../../ui/table/columns'
import { byName, byStatus, statusColumn } from '../../ui/table/common-columns'
import { ListTable } from '../../ui/table/ListTable'
import type { Column, Filter } from '../../ui/table/rows'
import { componentActions, editBuildPipelines } from './component-actions'
import { BuildFacts, buildLabelOf, buildLabels, BuildStatus } from './BuildFacts'
import { componentColumns } from './component-columns'
import '../../ui/inline-list.css'

export const page = route(paths.components, ({ namespace }) => ({
  require: [{ verb: 'list', type: componentType, namespace }],
  check: actionChecks(namespace, ...componentActions, editBuildPipelines, addComponent),
  waitFor: [components.listed(namespace)],
  read: [publicInfo.get()],
}))

export { ComponentListTab as Component }
function ComponentListTab() {
  const at = page.useParams()
  const listed = useList(components.listed(at.namespace))
  const own = listed.rows && componentsOf(listed.rows, at.application)
  const source = useNeededBuilds(at, { ...listed, rows: own })
  const { actionsOf, dialog } = useActions(componentActions, at)
  // Here, so that its dialog stays open when the button disappears.
  const edit = useAction(editBuildPipelines, at, undefined)
  return (
    <>
      {source.rows && <MissingPipelines rows={source.rows} at={at} edit={edit.action} />}
      <ListTable
        label="Components"
        columns={columns}
        filters={filters}
        actions={({ component }) => actionsOf(component)}
        source={source}
        toolbar={<DefinedButton action={addComponent} at={at} />}
        preferences={preferences}
        empty={<NoComponents at={at} />}
      />
      {edit.dialog}
      {dialog}
    </>
  )
}

const preferences = tablePreferences('slipway-components-columns')

const columns: Column<BuiltComponent>[] = [
  statusColumn('withVerdict', (row) => <BuildStatus row={row} />),
  componentColumns.name,
  { id: 'build', label: 'Latest push build', width: 25, cell: (row) => <BuildFacts row={row} /> },
  componentColumns.source,
  componentColumns.image,
  { id: 'pipeline', label: 'Build pipeline', width: 15, visibleFrom: 'lg', cell: (row) => <BuildPipeline row={row} /> },
]

const filters: Filter<BuiltComponent>[] = [byName(builtComponentRows.nameOf), byStatus(buildLabelOf, buildLabels)]

const mostNamed = 5

interface MissingPipelinesProps {
  rows: readonly BuiltComponent[]
  at: ApplicationParams
  edit: Action
}

/** Names the components that are not built automatically. */
function MissingPipelines({ rows, at, edit }: MissingPipelinesProps) {
  const lacking = rows.filter(({ state }) => lacksBuildPipeline(state))
  if (lacking.length === 0) return null
  return (
    <Alert
      isInline
      isPlain
      isExpandable
      variant="warning"
      component="p"
      toggleAriaLabel="Components without a build pipeline definition"
      // In the line of the title: the list has to start as high as possible.
      actionClose={
        <ActionButton variant="link" isInline disabledReason={edit.disabledReason} onClick={edit.onSelect}>
          {edit.label}
        </ActionButton>
      }
      title={
        lacking.length === 1
          ? '1 component lacks a build pipeline definition'
          : `${lacking.length} components lack a build pipeline definition`
      }
    >
      A push builds them only after a pull request has added a pipeline to their repositories:{' '}
      <ul className="slipway-inline-list">
        {lacking.slice(0, mostNamed).map(({ component }) => (
          <li key={uidOf(component)}>
            <ComponentLink at={at} component={nameOf(component)} />
          </li>
        ))}
        {lacking.length > mostNamed && <li>{lacking.length - mostNamed} more</li>}
      </ul>
    </Alert>
  )
}

const NoComponents = ({ at }: { at: ApplicationParams }) => (
  <MessagePanel
    titleText="No components yet"
    icon={ComponentsIcon}
    action={<DefinedButton action={addComponent} at={at} />}
  >
    A component is built from a git repository. Components of this application appear here with their latest builds.
  </MessagePanel>
)

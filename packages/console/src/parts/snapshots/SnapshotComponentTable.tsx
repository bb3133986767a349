import { asText } from '@slipway/kube/parse'
import type { Vulnerabilities } from '@slipway/model/runs/task-results'
import { repositoryAt } from '@slipway/model/git/git-host'
import { componentsIn, type Snapshot, type SnapshotComponent } from '@slipway/model/snapshots/snapshot'
import { type RowKind, useFixed } from '../../api/source'
import { paths, type SnapshotParams } from '../../paths'
import { showImageCommands } from '../images/actions'
import { ImageAddress } from '../text/ImageAddress'
import { DefinedButton } from '../../ui/actions/DefinedButton'
import { useActions } from '../../ui/actions/use-actions'
import { addComponent } from '../components/actions'
import { ComponentLink } from '../links'
import { VulnerabilityCounts } from '../security/VulnerabilityCounts'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { byName, nameColumn } from '../../ui/table/common-columns'
import { ListTable } from '../../ui/table/ListTable'
import type { Column, Filter } from '../../ui/table/rows'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { Revision } from './Revision'
import type { KnownVulnerabilities } from './use-snapshot-vulnerabilities'

interface ComponentRow {
  component: SnapshotComponent
  /** `undefined` if they are not known. */
  found: Vulnerabilities | undefined
}

const componentRows: RowKind<ComponentRow> = {
  idOf: ({ component }) => component.name,
  nameOf: ({ component }) => component.name,
  isBeingDeleted: () => false,
}

interface SnapshotComponentTableProps {
  snapshot: Snapshot
  vulnerabilities: KnownVulnerabilities
  at: SnapshotParams
}

/** The images of a snapshot, and what they were built from. */
export function SnapshotComponentTable({ snapshot, vulnerabilities, at }: SnapshotComponentTableProps) {
  const rows = componentsIn(snapshot).map((component) => ({
    component,
    found: vulnerabilities.byComponent.get(component),
  }))
  const { actionsOf, dialog } = useActions([showImageCommands], at)
  return (
    <>
      <ListTable
        label="Components"
        urlKey="components"
        at={{ namespace: at.namespace, application: at.application, snapshot: at.snapshot }}
        source={useFixed(rows, componentRows)}
        columns={columns}
        filters={filters}
        actions={({ component }) => actionsOf(asText(component.containerImage))}
        empty={
          <MessagePanel titleText="No components" action={<DefinedButton action={addComponent} at={at} />}>
            This snapshot records no image. Snapshots that are created after a component is built contain its image.
          </MessagePanel>
        }
      />
      {dialog}
    </>
  )
}

const columns: Column<ComponentRow, SnapshotParams>[] = [
  nameColumn(componentRows.nameOf, {
    width: 25,
    cell: ({ component }, at) => <ComponentLink at={at} component={component.name} />,
  }),
  {
    id: 'image',
    label: 'Container Image',
    cell: ({ component: { name, containerImage } }) => {
      const image = asText(containerImage)
      return image ? <ImageAddress image={image} noun={`image of ${name}`} /> : '-'
    },
  },
  {
    id: 'vulnerabilities',
    label: 'Vulnerabilities',
    width: 15,
    visibleFrom: 'lg',
    cell: ({ component, found }, at) =>
      found ? (
        <VulnerabilityCounts counts={found} listedOn={paths.snapshotVulnerabilities(at)} component={component.name} />
      ) : (
        'Unknown'
      ),
  },
  {
    id: 'source',
    label: 'Git URL',
    width: 20,
    visibleFrom: 'lg',
    cell: ({ component }) => <GitUrl component={component} />,
  },
  {
    id: 'revision',
    label: 'Revision',
    width: 10,
    cell: ({ component }, at) => <Revision component={component} at={at} />,
  },
]

const filters: Filter<ComponentRow>[] = [byName(componentRows.nameOf)]

function GitUrl({ component: { source } }: { component: SnapshotComponent }) {
  const address = asText(source?.git?.url)
  const { repoUrl } = repositoryAt(address)
  return address ? <ExternalLink href={repoUrl}>{(repoUrl ?? address).replace(/^https?:\/\//, '')}</ExternalLink> : '-'
}

import { Label } from '@patternfly/react-core'
import { sourceOf } from '@slipway/model/builds/component-source'
import {
  buildsByVersion,
  type VersionBuilds,
  type VersionFacts,
  versionFacts,
  versionsIn,
} from '@slipway/model/builds/component-versions'
import { branchUrl } from '@slipway/model/git/git-host'
import { type RowKind, useFixed } from '../../api/source'
import type { BuiltComponent } from '../../parts/components/use-builds'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { byName, nameColumn } from '../../ui/table/common-columns'
import { ListTable } from '../../ui/table/ListTable'
import type { Column, Filter } from '../../ui/table/rows'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { UserText } from '../../ui/text/UserText'
import { LatestBuild } from './BuildFacts'
import '../../ui/facts-line.css'

/** A version of a component with its builds. */
interface VersionRow {
  version: VersionFacts
  built: BuiltComponent
  own: VersionBuilds | undefined
}

const nameOfVersion = ({ version }: VersionRow): string => version.name

const versionRows: RowKind<VersionRow> = { idOf: nameOfVersion, nameOf: nameOfVersion, isBeingDeleted: () => false }

/** The versions of a component, each with its latest push build. @param built the component with all known builds */
export function ComponentVersions({ built }: { built: BuiltComponent }) {
  const { component, builds } = built
  const own = buildsByVersion(versionsIn(component), builds ?? [])
  const rows = versionFacts(component).map((version): VersionRow => ({ version, built, own: own.get(version.name) }))
  return (
    <ListTable
      label="Versions"
      source={useFixed(rows, versionRows)}
      columns={columns}
      filters={filters}
      urlKey="versions"
      empty={<MessagePanel variant="sm" titleText="No versions" />}
    />
  )
}

const columns: Column<VersionRow>[] = [
  nameColumn(nameOfVersion, { label: 'Version' }),
  {
    id: 'branch',
    label: 'Branch',
    width: 10,
    sortBy: ({ version }) => version.branch,
    cell: ({ version: { branch }, built }) => (
      <ExternalLink href={branchUrl(sourceOf(built.component), branch)}>{branch}</ExternalLink>
    ),
  },
  {
    id: 'context',
    label: 'Context',
    width: 10,
    visibleFrom: 'lg',
    cell: ({ version: { context } }) => context ?? 'Root',
  },
  {
    id: 'dockerfile',
    label: 'Dockerfile',
    width: 10,
    visibleFrom: 'xl',
    cell: ({ version: { dockerfile } }) => dockerfile,
  },
  { id: 'build', label: 'Latest push build', width: 25, cell: (row) => <VersionBuild row={row} />, wraps: true },
  {
    id: 'pipeline',
    label: 'Build pipeline',
    width: 25,
    cell: ({ version }) => <Pipelines version={version} />,
    wraps: true,
  },
]

const filters: Filter<VersionRow>[] = [byName(nameOfVersion)]

function VersionBuild({ row: { version, built, own } }: { row: VersionRow }) {
  const builds = own?.builds ?? []
  if (builds.length === 0 && (built.builds || built.error)) {
    if (!version.isBuilt) return 'Builds are turned off'
    return built.error ? 'Unknown: some builds could not be read' : 'None among the known builds'
  }
  return (
    <>
      <LatestBuild row={{ ...built, builds: built.builds && builds }} />
      {own?.isByBranch && <div>Found by its branch: the build does not say its version.</div>}
      {!version.isBuilt && <div>Builds are turned off.</div>}
    </>
  )
}

/** Where its pipelines come from, and how far the platform has set them up. */
function Pipelines({ version: { pipelines, hasDefaultPipelines, onboarding } }: { version: VersionFacts }) {
  return (
    <>
      {pipelines.length === 0 ? (
        <div>Not named</div>
      ) : (
        pipelines.map(({ events, source }) => (
          <div key={events}>
            {events}: <UserText text={source} />
          </div>
        ))
      )}
      {pipelines.length > 0 && hasDefaultPipelines && <div>As for every version</div>}
      <span className="slipway-facts-line">
        {onboarding?.hasFailed && (
          <Label isCompact status="danger">
            Setup failed
          </Label>
        )}
        {onboarding?.message && <UserText text={onboarding.message} />}
        {onboarding?.mergeUrl && <ExternalLink href={onboarding.mergeUrl}>Pull request</ExternalLink>}
        {!onboarding && 'Not set up yet'}
      </span>
    </>
  )
}

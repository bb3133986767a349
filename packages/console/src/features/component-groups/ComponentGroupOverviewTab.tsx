import { Alert, Skeleton } from '@patternfly/react-core'
import { nameOf, specOf } from '@slipway/kube/object'
import type { Component } from '@slipway/model/builds/component'
import {
  childGroups,
  type ComponentGroup,
  type DeepMember,
  type GroupMember,
  type GroupTree,
  groupTree,
  parentGroups,
} from '@slipway/model/builds/component-group'
import { versionsIn } from '@slipway/model/builds/component-versions'
import { useSuspenseQuery } from '@tanstack/react-query'
import { failureText } from '../../api/messages'
import { type RowKind, type Source, useJoined, useList, useObject } from '../../api/source'
import { type ComponentGroupParams, paths } from '../../paths'
import { ObjectEvents } from '../../parts/events/ObjectEvents'
import { ComponentLink } from '../../parts/links'
import { ImageAddress } from '../../parts/text/ImageAddress'
import { componentGroups } from '../../resources/component-groups'
import { components } from '../../resources/components'
import { type DetailItem, Details } from '../../ui/page/Details'
import { route } from '../../ui/page/route'
import { Section } from '../../ui/page/Section'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { ageColumn, byName, nameColumn } from '../../ui/table/common-columns'
import { ListTable } from '../../ui/table/ListTable'
import type { Column, Filter } from '../../ui/table/rows'
import { Copyable } from '../../ui/text/Copyable'
import { KeyValues } from '../../ui/text/KeyValues'
import { DateAndAge } from '../../ui/text/RelativeTime'
import { UserText } from '../../ui/text/UserText'
import { GroupLinks } from './GroupLinks'

export const page = route(paths.componentGroup, ({ namespace }) => ({
  read: [componentGroups.listed(namespace), components.versions(namespace)],
}))

export { ComponentGroupOverviewTab as Component }
function ComponentGroupOverviewTab() {
  const at = page.useParams()
  const { data: group } = useSuspenseQuery(componentGroups.get(at.namespace, at.componentGroup))
  const all = useList(componentGroups.listed(at.namespace), 'component groups')
  const tree = groupTree(group, all.rows ?? [group])
  return (
    <>
      <TreeAlerts tree={tree} all={all} namespace={at.namespace} />
      <Section title="Members">
        <Members at={at} all={all} />
      </Section>
      <Section title="Component group details">
        <Details label="Component group details" items={factsOf(group, tree, all, at)} />
      </Section>
      <ObjectEvents object={group} />
    </>
  )
}

interface TreeProps {
  tree: GroupTree
  all: Source<ComponentGroup>
  namespace: string
}

/** What keeps nested groups from being complete. */
function TreeAlerts({ tree: { cycle, groups }, all, namespace }: TreeProps) {
  const missing = groups.filter(({ exists }) => !exists).map(({ name }) => name)
  return (
    <>
      {all.error && !all.rows && groups.length > 0 && (
        <Alert isInline variant="warning" component="p" title="The members of nested groups are unknown">
          The component groups of {namespace} could not be read. {failureText(all.error)}
        </Alert>
      )}
      {cycle && (
        <Alert isInline variant="danger" component="p" title="These groups contain each other">
          {cycle.join(' contains ')}. Remove one of them from another, or the platform has no end of their members.
        </Alert>
      )}
      {all.rows && missing.length > 0 && (
        <Alert isInline variant="warning" component="p" title="Some nested groups do not exist">
          {missing.join(', ')}: there is no component group of this name in {namespace}.
        </Alert>
      )}
    </>
  )
}

function factsOf(
  group: ComponentGroup,
  { groups }: GroupTree,
  all: Source<ComponentGroup>,
  at: ComponentGroupParams,
): DetailItem[] {
  const { metadata, status } = group
  const unread = all.error ? 'Unknown' : <Skeleton width="10rem" screenreaderText="Loading the component groups" />
  const links = (names: readonly string[]) => <GroupLinks namespace={at.namespace} names={names} />
  const children = childGroups(group)
  const deeper = groups.map(({ name }) => name).filter((name) => !children.includes(name))
  return [
    ['Nested groups', links(children)],
    ['Groups in those', deeper.length > 0 ? links(deeper) : undefined],
    ['Is a member of', all.rows ? links(parentGroups(at.componentGroup, all.rows)) : unread],
    ...(status?.conditions ?? []).map((each): DetailItem => [
      each.type,
      <>
        {each.status}
        {each.reason && ` (${each.reason})`} {each.message && <UserText text={each.message} />}
      </>,
    ]),
    ['Created at', <DateAndAge time={metadata.creationTimestamp} />],
    ['Name', <Copyable text={at.componentGroup} noun="name" />],
    ['Namespace', at.namespace],
    ['Labels', <KeyValues label="Labels" values={metadata.labels} />],
    ['Annotations', <KeyValues label="Annotations" values={metadata.annotations} />],
  ]
}

/** A version of a component with what is known of the component. */
interface MemberRow {
  deep: DeepMember
  /** The application of the component; `null` if it has none. */
  application: string | null | undefined
  /** Whether there is such a component; `undefined` while that is unknown. */
  exists: boolean | undefined
  /** Whether the component names its versions, but not this one. */
  lacksVersion: boolean
}

const memberName = ({ deep: { member } }: MemberRow): string => member.name
const versionName = ({ deep: { member } }: MemberRow): string | undefined => member.componentVersion?.name
const throughText = ({ deep: { through } }: MemberRow): string => through.slice(1).join(' > ')

const memberRows: RowKind<MemberRow> = {
  idOf: (row) => `${memberName(row)}/${versionName(row) ?? ''}`,
  nameOf: (row) => [memberName(row), versionName(row)].filter(Boolean).join(' '),
  isBeingDeleted: () => false,
}

function Members({ at, all }: { at: ComponentGroupParams; all: Source<ComponentGroup> }) {
  const own = useObject(componentGroups.get(at.namespace, at.componentGroup))
  const named = useList(components.versions(at.namespace), 'components')
  // Without the other groups, the members of its own are known all the same.
  const source = useJoined(
    [own, all, named],
    ([group, groups, found]) => group?.[0] && rowsOf(group[0], groups ?? group, found),
    memberRows,
  )
  return (
    <ListTable
      label="Members"
      at={at}
      source={source}
      columns={columns}
      filters={filters}
      firstSort="name"
      empty={
        <MessagePanel titleText="No components">
          Neither this group nor a group that is nested in it has a component.
        </MessagePanel>
      }
    />
  )
}

function rowsOf(
  group: ComponentGroup,
  all: readonly ComponentGroup[],
  found: readonly Component[] | undefined,
): MemberRow[] {
  const byName = new Map((found ?? []).map((component) => [nameOf(component), component]))
  return groupTree(group, all).members.map((deep) => {
    const component = byName.get(deep.member.name)
    return {
      deep,
      application: component && (specOf(component).application ?? null),
      exists: found && component !== undefined,
      lacksVersion: component !== undefined && lacksVersion(component, deep.member),
    }
  })
}

function lacksVersion(component: Component, { componentVersion }: GroupMember): boolean {
  const versions = versionsIn(component)
  return (
    componentVersion !== undefined &&
    versions.length > 0 &&
    !versions.some(({ name }) => name === componentVersion.name)
  )
}

const columns: Column<MemberRow, ComponentGroupParams>[] = [
  nameColumn(memberName, {
    label: 'Component',
    cell: (row, { namespace }) => (
      <>
        <ComponentLink at={{ namespace, application: row.application ?? undefined }} component={memberName(row)} />
        {row.exists === false && ' (not found)'}
      </>
    ),
  }),
  {
    id: 'version',
    label: 'Version',
    width: 10,
    sortBy: versionName,
    cell: (row) => `${versionName(row) ?? '-'}${row.lacksVersion ? ' (not found)' : ''}`,
  },
  {
    id: 'branch',
    label: 'Branch',
    width: 15,
    visibleFrom: 'lg',
    sortBy: ({ deep }) => deep.member.componentVersion?.version,
    cell: ({ deep }) => deep.member.componentVersion?.version ?? '-',
  },
  {
    id: 'context',
    label: 'Context',
    width: 10,
    visibleFrom: 'xl',
    cell: ({ deep }) => deep.member.componentVersion?.context ?? '-',
  },
  {
    id: 'through',
    label: 'Through group',
    width: 15,
    sortBy: throughText,
    cell: (row, { namespace }) => <GroupLinks namespace={namespace} names={row.deep.through.slice(1)} />,
  },
  {
    id: 'image',
    label: 'Last promoted image',
    width: 20,
    visibleFrom: 'lg',
    cell: ({ deep: { promoted } }) =>
      promoted?.lastPromotedImage ? (
        <ImageAddress image={promoted.lastPromotedImage} noun={`image of ${promoted.name}`} />
      ) : (
        'Not promoted yet'
      ),
  },
  ageColumn('built', 'Built', ({ deep: { promoted } }) => promoted?.lastPromotedBuildTime, {
    visibleFrom: 'xl',
  }),
]

const filters: Filter<MemberRow>[] = [byName(memberRows.nameOf)]

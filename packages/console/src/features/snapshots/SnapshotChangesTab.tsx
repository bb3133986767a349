import { Alert, Toolbar, ToolbarContent, ToolbarItem } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import { baselineOf } from '@slipway/model/releases/snapshot-baseline'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { asSentence, failureText } from '../../api/messages'
import { paths, type SnapshotParams } from '../../paths'
import { releases } from '../../resources/releases'
import { snapshots } from '../../resources/snapshots'
import { ButtonLink } from '../../ui/actions/ButtonLink'
import { StatusBox } from '../../ui/failures/StatusBox'
import { route } from '../../ui/page/route'
import { SnapshotComparison } from '../../parts/snapshots/SnapshotComparison'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { BaselineSwitcher } from './BaselineSwitcher'
import { baselineParam, useBaseline } from './use-baseline'

export const page = route(paths.snapshotChanges, ({ namespace, application }) => ({
  read: [snapshots.listed(namespace, application), releases.progress(namespace)],
}))

export { SnapshotChangesTab as Component }
function SnapshotChangesTab() {
  const at = page.useParams()
  const { data: snapshot } = useSuspenseQuery(snapshots.get(at.namespace, at.snapshot))
  const { name, reason, isLoading, releasesError, others, othersError, select } = useBaseline(snapshot, at)
  const { data, error } = useQuery({
    ...snapshots.ofApplication(at.namespace, at.application, name ?? ''),
    enabled: Boolean(name),
  })
  const isFirst = !name && !isLoading && !othersError
  return (
    <>
      {releasesError && (
        <Alert
          isInline
          variant="warning"
          component="p"
          title={`It is not known which snapshot was released last: ${asSentence(failureText(releasesError))}`}
        />
      )}
      {(!isFirst || (others && others.length > 0)) && (
        <Toolbar inset={{ default: 'insetNone' }}>
          <ToolbarContent alignItems="center">
            <ToolbarItem>Compared with</ToolbarItem>
            <ToolbarItem>
              <BaselineSwitcher
                name={name}
                isLoading={isLoading}
                others={others}
                error={othersError}
                onSelect={select}
              />
            </ToolbarItem>
            {reason && <ToolbarItem>{reasons[reason]}</ToolbarItem>}
          </ToolbarContent>
        </Toolbar>
      )}
      {isFirst && (
        <MessagePanel titleText="Nothing to compare with">
          This is the first snapshot of the application. Later ones can be compared with it.
        </MessagePanel>
      )}
      {!isFirst && (
        <StatusBox
          label="the snapshot to compare with"
          data={data}
          error={name ? error : othersError}
          whenMissing={
            <OtherBaseline snapshot={snapshot} others={others?.filter((other) => nameOf(other) !== name)} at={at} />
          }
        >
          {(from) => (
            <SnapshotComparison
              from={from}
              to={snapshot}
              at={at}
              actions={
                <ButtonLink
                  variant="link"
                  size="sm"
                  to={comparisonPath({ ...at, snapshot: nameOf(from) }, at.snapshot)}
                >
                  Swap
                </ButtonLink>
              }
            />
          )}
        </StatusBox>
      )}
    </>
  )
}

const reasons = { released: 'Released last', previous: 'The one before this' } as const

const comparisonPath = (at: SnapshotParams, baseline: string) =>
  `${paths.snapshotChanges(at)}?${new URLSearchParams({ [baselineParam]: baseline })}`

interface OtherBaselineProps {
  snapshot: Snapshot
  others: readonly Snapshot[] | undefined
  at: SnapshotParams
}

/** Offers the one before a snapshot in place of one that does not exist. */
function OtherBaseline({ snapshot, others = [], at }: OtherBaselineProps) {
  const other = baselineOf(snapshot, others, [])
  return (
    other && (
      <ButtonLink variant="link" to={comparisonPath(at, other.name)}>
        Compare with {other.name}
      </ButtonLink>
    )
  )
}

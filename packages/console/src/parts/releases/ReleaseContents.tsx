import { Content } from '@patternfly/react-core'
import { nameOf, specOf } from '@slipway/kube/object'
import { previousReleaseOf } from '@slipway/model/releases/previous-release'
import type { Release } from '@slipway/model/releases/release'
import { useQuery } from '@tanstack/react-query'
import { useWholeViewWithArchive } from '../../api/archive/whole-view'
import type { ApplicationParams } from '../../paths'
import { releases } from '../../resources/releases'
import { snapshots } from '../../resources/snapshots'
import { StatusBox } from '../../ui/failures/StatusBox'
import { ReleaseLink, SnapshotLink } from '../links'
import { SnapshotComparison } from '../snapshots/SnapshotComparison'

interface ReleaseContentsProps {
  /** May not have been created yet. */
  release: Release
  at: ApplicationParams
}

/** What a release contains that the previous successful release of its plan did not, also as Markdown. */
export function ReleaseContents({ release, at }: ReleaseContentsProps) {
  const { view, archive } = releases.view(at.namespace, at.application)
  const where = { ...view.where, releasePlan: [specOf(release).releasePlan ?? ''] }
  const { rows, error, more } = useWholeViewWithArchive({ view: { ...view, where }, archive }, 'releases')
  const previous = rows && previousReleaseOf(release, rows)
  const isKnown = previous !== undefined || (rows !== undefined && !more?.isLoading)
  return (
    <StatusBox label="earlier releases" data={isKnown ? rows : undefined} error={error}>
      {() =>
        previous ? (
          <Comparison release={release} previous={previous} at={at} />
        ) : (
          <Content component="p">
            No earlier release of {specOf(release).releasePlan} has succeeded, so there is nothing to compare{' '}
            <SnapshotLink at={at} snapshot={specOf(release).snapshot ?? ''} /> with.
          </Content>
        )
      }
    </StatusBox>
  )
}

function Comparison({ release, previous, at }: ReleaseContentsProps & { previous: Release }) {
  const [from, to] = [previous, release].map((each) => specOf(each).snapshot ?? '')
  const before = useQuery({ ...snapshots.get(at.namespace, from ?? ''), enabled: from !== to })
  const after = useQuery({ ...snapshots.get(at.namespace, to ?? ''), enabled: from !== to })
  const link = <ReleaseLink at={at} release={nameOf(previous)} />
  if (from === to)
    return <Content component="p">It contains the same snapshot as {link}, the previous successful release.</Content>
  const data = before.data && after.data && { from: before.data, to: after.data }
  return (
    <>
      <Content component="p">Compared with {link}, the previous successful release of its plan.</Content>
      <StatusBox label="the compared snapshots" data={data} error={before.error ?? after.error}>
        {(both) => <SnapshotComparison {...both} at={at} />}
      </StatusBox>
    </>
  )
}

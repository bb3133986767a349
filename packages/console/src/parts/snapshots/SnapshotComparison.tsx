import { Button } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import { changesBetween, summaryOf } from '@slipway/model/snapshots/snapshot-changes'
import { changesAsMarkdown } from '@slipway/model/snapshots/snapshot-changes-markdown'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { ApplicationParams } from '../../paths'
import { CopyButton } from '../../ui/actions/CopyButton'
import { SnapshotLink } from '../links'
import { Details } from '../../ui/page/Details'
import { ChunkLoadAlert, lazyComponent } from '../../ui/page/lazy-component'
import { Section } from '../../ui/page/Section'
import { RelativeTime } from '../../ui/text/RelativeTime'
import { SnapshotChangeTable } from './SnapshotChangeTable'
import { SnapshotVulnerabilityCounts } from './SnapshotVulnerabilityCounts'
import { useSnapshotVulnerabilities } from './use-snapshot-vulnerabilities'

const ReportChanges = lazyComponent(() => import('./ReportChanges'), 'ReportChanges', { Missing: ChunkLoadAlert })

const PackageChanges = lazyComponent(() => import('./PackageChanges'), 'PackageChanges', { Missing: ChunkLoadAlert })

interface SnapshotComparisonProps {
  /** The older one, as a rule. */
  from: Snapshot
  to: Snapshot
  /** The application of both. */
  at: ApplicationParams
  /** Controls next to the button that copies the changes. */
  actions?: ReactNode
}

/** What changed from one snapshot to another: a summary, which can be copied as Markdown, and a table of components. */
export function SnapshotComparison({ from, to, at, actions }: SnapshotComparisonProps) {
  const [before, after] = [useSnapshotVulnerabilities(from), useSnapshotVulnerabilities(to)]
  const changes = changesBetween(from, to)
  const markdown = changesAsMarkdown(
    { name: nameOf(from), vulnerabilities: before },
    { name: nameOf(to), vulnerabilities: after },
    changes,
  )
  const isLoading = before.isLoading || after.isLoading
  return (
    <>
      <Details
        label="What changed"
        items={[
          ['Components', summaryOf(changes)],
          ['Since', <Since snapshot={from} at={at} />],
          [
            'Vulnerabilities before',
            <SnapshotVulnerabilityCounts found={before} at={{ ...at, snapshot: nameOf(from) }} />,
          ],
          ['Vulnerabilities after', <SnapshotVulnerabilityCounts found={after} at={{ ...at, snapshot: nameOf(to) }} />],
        ]}
      />
      <Section title="Components">
        <SnapshotChangeTable
          changes={changes}
          before={before}
          after={after}
          at={at}
          toolbar={
            <>
              <CopyButton
                text={markdown}
                noun="the changes"
                label="Copy as Markdown"
                disabledReason={isLoading && 'The vulnerabilities are still being read'}
              />{' '}
              {actions}
            </>
          }
        />
      </Section>
      <ReportsOnRequest from={from} to={to} at={at} />
    </>
  )
}

type Compared = Pick<SnapshotComparisonProps, 'from' | 'to' | 'at'>

/** What is compared only on request, since it takes many logs; the URL says what was requested. */
const ReportsOnRequest = (props: Compared) => (
  <>
    <OnRequest parameter="reports" label="Compare what scans and the policy say">
      <ReportChanges {...props} />
    </OnRequest>{' '}
    <OnRequest parameter="sboms" label="Compare packages">
      <PackageChanges {...props} />
    </OnRequest>
  </>
)

function OnRequest({ parameter, label, children }: { parameter: string; label: string; children: ReactNode }) {
  const [query, setQuery] = useSearchParams()
  if (query.has(parameter)) return children
  const compare = () =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before)
        next.set(parameter, 'compared')
        return next
      },
      { replace: true },
    )
  return (
    <Button variant="link" isInline onClick={compare}>
      {label}
    </Button>
  )
}

const Since = ({ snapshot, at }: { snapshot: Snapshot; at: ApplicationParams }) => (
  <>
    <SnapshotLink at={at} snapshot={nameOf(snapshot)} />, <RelativeTime time={snapshot.metadata.creationTimestamp} />
  </>
)

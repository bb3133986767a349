import { lastReleasedOf } from '@slipway/model/releases/snapshot-baseline'
import { scannedBuilds, withFirstSeen } from '@slipway/model/vulnerabilities/scan-trend'
import { foundIn, pipelineRunOf } from '@slipway/model/vulnerabilities/scans'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ComponentParams } from '../../paths'
import { useComponentScans } from '../../parts/vulnerabilities/use-scans'
import { VulnerabilityTable } from '../../parts/vulnerabilities/VulnerabilityTable'
import { releases } from '../../resources/releases'
import { Section } from '../../ui/page/Section'
import { ReleasedNote } from './ReleasedNote'
import { TrendTable } from './TrendTable'
import { useMarkedNew } from './use-marked-new'

/** The builds whose scans are compared: each has a log to be read. */
export const mostBuilds = 12

export function VulnerabilitiesOfComponent({ namespace, application, component }: ComponentParams) {
  const { scans, newest } = useComponentScans(namespace, { application, component }, mostBuilds)
  const isRead = scans.settledCount === scans.reportCount
  const newestRun = newest && pipelineRunOf(newest)
  const builds = useMemo(() => (isRead && scans.rows ? scannedBuilds(scans.rows) : undefined), [isRead, scans.rows])
  const found = useMemo(() => {
    const ofNewest = scans.rows?.filter(({ pipelineRun }) => pipelineRun === newestRun)
    if (!ofNewest) return undefined
    // If the newest report could not be read, those of the others say nothing about it.
    return builds?.[0]?.pipelineRun === newestRun && builds ? withFirstSeen(builds) : foundIn(ofNewest)
  }, [scans.rows, builds, newestRun])
  const { data: released } = useQuery(releases.progress(namespace))
  const marked = useMarkedNew(namespace, found, released && lastReleasedOf(application, released.items), component)
  return (
    <>
      <Section title="Vulnerabilities of the newest build">
        <ReleasedNote at={{ namespace, application }} released={marked.released} />
        <VulnerabilityTable subject="component" at={{ namespace, application }} scans={scans} found={marked.found} />
      </Section>
      {builds && builds.length > 1 && (
        <Section title="Over its builds">
          <TrendTable builds={builds} />
        </Section>
      )}
    </>
  )
}

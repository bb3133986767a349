import { componentType } from '@slipway/model/builds/component'
import { labels } from '@slipway/model/labels'
import { type Release, type ReleaseStatus, releaseType } from '@slipway/model/releases/release'
import { useMemo } from 'react'
import { useCounts, useWholeView } from '../../api/views/use-view'

/** What other lists say about the applications of a namespace, by their names; `undefined` until it is known. */
export interface ApplicationFacts {
  componentCounts: Readonly<Record<string, number>> | undefined
  /** Times in RFC 3339. */
  lastDeploys: ReadonlyMap<string, string> | undefined
  /** Applications are shown without a list that could not be read. */
  hasNoComponents: boolean
  hasNoReleases: boolean
}

const succeeded: ReleaseStatus = 'Succeeded'

export function useApplicationFacts(namespace: string): ApplicationFacts {
  const namespaces = [namespace]
  const { counts, error } = useCounts(
    { kind: componentType.plural, namespaces, where: { isBeingDeleted: ['no'] } },
    'application',
  )
  const deploys = useWholeView<Release>(
    {
      kind: releaseType.plural,
      namespaces,
      where: { status: [succeeded] },
      sort: '-completed',
      firstOf: 'application',
    },
    'releases',
  )
  return {
    componentCounts: counts,
    lastDeploys: useMemo(() => deploys.rows && new Map(deploys.rows.flatMap(deployOf)), [deploys.rows]),
    hasNoComponents: !counts && error !== null,
    hasNoReleases: !deploys.rows && Boolean(deploys.error ?? deploys.retryReason),
  }
}

function deployOf({ metadata, status }: Release): [application: string, time: string][] {
  const application = metadata.labels?.[labels.application]
  return application && status?.completionTime ? [[application, status.completionTime]] : []
}

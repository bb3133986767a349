import type { KubeObject } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { type ApplicationParams, paths } from '../../paths'
import { servedApplication } from '../links'
import type { Crumb } from '../../ui/page/Page'

interface RunOrigin {
  /** A pipeline run, or a task run with the same labels; `undefined` until it is known. */
  run: KubeObject | undefined
  /** The application and the namespace in the URL of the run. */
  at: ApplicationParams
  /** The name of the release whose page has led here. */
  release?: string | undefined
}

/** The application that a run works for, and the breadcrumbs of the list that has the run. */
export function runOriginOf({ run, at, release }: RunOrigin): { application: ApplicationParams; crumbs: Crumb[] } {
  const namespace = (run && servedApplication(run).namespace) ?? at.namespace
  const application = { application: at.application, namespace }
  // No list of its application has the run of a managed pipeline.
  const known = release ?? (namespace === at.namespace ? undefined : run?.metadata.labels?.[labels.releaseName])
  const crumbs = known
    ? [
        { label: 'Releases', to: paths.releases(application) },
        { label: known, to: paths.releasePipelineRuns({ ...application, release: known }) },
      ]
    : [{ label: 'Pipeline runs', to: paths.activityTab({ ...application, activityTab: 'pipelineruns' }) }]
  return { application, crumbs }
}

import { commitView, componentCommitView } from '@slipway/model/views/commits'
import { pipelineRuns, type RunSelection } from './pipeline-runs'

export const commits = {
  /** The commits of an application or of one of its components: those of runs in the cluster as a view, and the runs in an archive. */
  view(of: Pick<RunSelection, 'namespace' | 'application' | 'component'>) {
    const { view, archive } = pipelineRuns.view(of)
    const { id, order } = of.component ? componentCommitView : commitView
    return { view: { ...view, kind: id }, archive: { ...archive, sort: order } }
  },
}

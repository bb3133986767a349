import { lazyComponent } from '../../ui/page/lazy-component'
import { GraphList } from './GraphList'

/** A graph whose code is fetched when it is first shown. If that fails, the graph is shown as a list. */
export const LazyPipelineGraph = lazyComponent(() => import('./PipelineGraph'), 'PipelineGraph', { Missing: GraphList })

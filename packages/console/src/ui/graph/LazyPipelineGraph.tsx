import { lazyComponent } from '../page/lazy-component'
import { GraphList } from './GraphList'

/** A graph whose drawing is fetched when it is first seen; where it does not arrive, the same is there as a list. */
export const LazyPipelineGraph = lazyComponent(() => import('./PipelineGraph'), 'PipelineGraph', { Missing: GraphList })

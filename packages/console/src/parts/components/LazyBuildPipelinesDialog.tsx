import { ChunkLoadAlert, lazyComponent } from '../../ui/page/lazy-component'

/** A dialog whose code is fetched when it is first opened. */
export const LazyBuildPipelinesDialog = lazyComponent(() => import('./BuildPipelinesDialog'), 'BuildPipelinesDialog', {
  Missing: ChunkLoadAlert,
})

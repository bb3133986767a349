import { lazyComponent } from '../../ui/page/lazy-component'
import { ChunkLoadErrorPage } from './ChunkLoadErrorPage'

export const LazyNotFoundPage = lazyComponent(() => import('./NotFoundPage'), 'NotFoundPage', {
  Missing: ChunkLoadErrorPage,
})

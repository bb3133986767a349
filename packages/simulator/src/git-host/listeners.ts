import { repositoryType, type Repository } from '@slipway/model/builds/repository'
import { cachedIndex } from '../cached-index'
import type { ControllerContext } from '../controller'
import { urlKey } from './git-url'

const byUrl = cachedIndex(repositoryType, ({ spec }) => urlKey(spec.url))

/** The Repository objects of all namespaces with which Pipelines as Code receives events of a git URL. */
export function listenersTo(context: Pick<ControllerContext, 'informer'>, url: string): Repository[] {
  const key = urlKey(url)
  return key === undefined ? [] : byUrl(context, key)
}

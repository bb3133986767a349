import { repositoryType, type Repository } from '@slipway/model/supply-chain/repository'
import { cachedIndex } from '../cached-index'
import type { ControllerContext } from '../controller'
import { addressKey } from './git-url'

const byAddress = cachedIndex(repositoryType, ({ spec }) => addressKey(spec.url))

/** The Repository objects, of all namespaces, through which Pipelines as Code listens to a git address. */
export function listenersTo(context: Pick<ControllerContext, 'informer'>, url: string): Repository[] {
  const key = addressKey(url)
  return key === undefined ? [] : byAddress(context, key)
}

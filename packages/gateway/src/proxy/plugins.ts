import { HttpError } from '@slipway/connect/http-error'
import type { Route } from '../gateway-request'
import { notFound } from '../http-error'
import type { Plugin } from '../upstreams/plugin'

/** Names the plugins in each response of one, so that a client need not request another only to get a 404. */
export const pluginsHeader = 'slipway-plugins'

/** The value of that header: those not known to be missing, separated by commas. */
export const namesOf = (plugins: readonly Plugin[]): string =>
  plugins
    .filter((plugin) => !plugin.isMissing())
    .map(({ name }) => name)
    .join()

/**
 * The plugin that a request or a websocket is for.
 * @throws HttpError 405 for a write, 404 for a missing plugin or path, 503 for a plugin that has not answered yet
 */
export async function pluginFor(
  method: string,
  { upstream, isSocket, target }: Route,
  plugins: readonly Plugin[],
): Promise<Plugin> {
  const plugin = plugins.find(({ name }) => name === upstream)
  const isServed = isSocket ? plugin?.kind.isSocket?.(target) : plugin?.kind.isServed(target)
  if (!plugin || !isServed) throw notFound()
  if (method !== 'GET') throw new HttpError(405, `${plugin.name} is read-only.`)
  await plugin.ensurePresent()
  return plugin
}

import { HttpError } from '@slipway/connect/http-error'
import type { Route } from '../gateway-request'
import { notFound } from '../http-error'
import type { Plugin } from '../upstreams/plugin'

/**
 * The plugin that a request is for.
 * @throws HttpError 405 for a write, 404 for a missing plugin or path, 503 for a plugin that has not answered yet
 */
export async function pluginFor(
  method: string,
  { upstream, target }: Route,
  plugins: readonly Plugin[],
): Promise<Plugin> {
  const plugin = plugins.find(({ name }) => name === upstream)
  if (!plugin?.kind.isServed(target)) throw notFound()
  if (method !== 'GET') throw new HttpError(405, `${plugin.name} is read-only.`)
  await plugin.ensurePresent()
  return plugin
}

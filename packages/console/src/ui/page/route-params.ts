import type { Params } from 'react-router'
import { useParams } from 'react-router'

/**
 * The named parameters of a route, for its loader.
 * @throws Error for a name that the path of the route does not have
 */
export function paramsOf<K extends string>(params: Params, ...names: K[]): Record<K, string> {
  const entries = names.map((name) => {
    const value = params[name]
    if (value === undefined) throw new Error(`The path of this route has no :${name}`)
    return [name, value]
  })
  // Every name has got its value.
  return Object.fromEntries(entries) as Record<K, string>
}

/** The same for its component. */
export const useRequiredParams = <K extends string>(...names: K[]): Record<K, string> => paramsOf(useParams(), ...names)

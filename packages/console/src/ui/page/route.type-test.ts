import { paths } from '../../paths'
import { route } from './route'

// Compiled, never run: a wrong name must be an error, or `tsc` reports an unused `@ts-expect-error`.

const page = route(paths.releases, ({ namespace, application }) => {
  const read: readonly string[] = [namespace, application]
  return { read: [{ queryKey: read }] }
})

export const useListParams = (): string => {
  const { namespace, application } = page.useParams()
  return namespace + application
}

export const useReleaseParams = () => {
  // @ts-expect-error The path of the list has no release.
  const { release } = page.useParams()
  return release
}

// @ts-expect-error Nor has its loader.
export const wrongPage = route(paths.releases, ({ release }) => ({ read: [{ queryKey: [release] }] }))

import { asArray, asRecord } from '@slipway/kube/parse'
import { userSuffix } from '../../api/session/session'
import { stored } from '../../lib/stored'

/** The page of an object that the user has opened. */
export interface RecentPage {
  /** Of the object itself, not of one of its tabs. */
  path: string
  /** As the browser's tab was named, without the product. */
  title: string
}

const most = 10
const kinds = 'components|pipelineruns|taskruns|snapshots|releases|commit|integrationtests'
const objectPage = new RegExp(`^/ns/[^/]+/applications/[^/]+(?:/(?:${kinds})/[^/]+)?`)

/** The latest first. */
export const recentPages = stored<readonly RecentPage[]>(
  'recent-pages',
  (value) =>
    asArray(value)
      .map((page) => asRecord(page))
      .flatMap(({ path, title }) =>
        typeof path === 'string' && objectPage.test(path) && typeof title === 'string' ? [{ path, title }] : [],
      )
      .slice(0, most),
  { suffix: userSuffix },
)

/** Remembers the page of an application or of something in it; other pages are in the sidebar anyway. */
export function rememberPage(pathname: string, title: string): void {
  const [path] = objectPage.exec(pathname) ?? []
  if (!path) return
  recentPages.set([{ path, title }, ...recentPages.get().filter((page) => page.path !== path)].slice(0, most))
}

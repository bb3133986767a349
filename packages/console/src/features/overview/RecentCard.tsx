import { Link } from 'react-router'
import { useStore } from '../../lib/store'
import { namespaceInPath } from '../../paths'
import { recentPages } from '../../ui/page/recent-pages'
import { UserText } from '../../ui/text/UserText'
import { HomeCardFrame } from './HomeCardFrame'

/** The pages of objects that the user has opened last in this browser. */
export function RecentCard() {
  const pages = useStore(recentPages)
  if (pages.length === 0) return null
  return (
    <HomeCardFrame title="Recently opened">
      <ul className="slipway-home-lines" role="list">
        {pages.map(({ path, title }) => (
          <li key={path}>
            <Link to={path}>
              <UserText text={title} />
            </Link>{' '}
            <span className="slipway-home-lines__place">{namespaceInPath(path)}</span>
          </li>
        ))}
      </ul>
    </HomeCardFrame>
  )
}

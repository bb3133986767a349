import { Card, CardBody, CardTitle } from '@patternfly/react-core'
import { useId } from 'react'
import { Link } from 'react-router'
import { useStore } from '../../lib/store'
import { namespaceInPath } from '../../paths'
import { recentPages } from '../../ui/page/recent-pages'
import { UserText } from '../../ui/text/UserText'

/** The pages of objects that the user has opened last in this browser. */
export function RecentCard() {
  const id = useId()
  const pages = useStore(recentPages)
  if (pages.length === 0) return null
  return (
    <Card isCompact component="section" aria-labelledby={id} className="slipway-home-card">
      <CardTitle component="h2" id={id}>
        Recently opened
      </CardTitle>
      <CardBody>
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
      </CardBody>
    </Card>
  )
}

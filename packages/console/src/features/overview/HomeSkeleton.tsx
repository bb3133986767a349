import { Card, CardBody, CardTitle, Skeleton } from '@patternfly/react-core'
import './home.css'

const main = ['Failing now', 'Held back', 'Running', 'Waiting for a merge']
const side = ['Your namespaces', 'Last releases']

/** The cards of the overview before it is known which namespaces it looks at. */
export const HomeSkeleton = () => (
  <div className="slipway-home" aria-busy="true">
    <div className="slipway-home__main">
      {main.map((title) => (
        <Placeholder key={title} title={title} />
      ))}
    </div>
    <div className="slipway-home__side">
      {side.map((title) => (
        <Placeholder key={title} title={title} />
      ))}
    </div>
  </div>
)

const Placeholder = ({ title }: { title: string }) => (
  <Card isCompact className="slipway-home-card">
    <CardTitle>{title}</CardTitle>
    <CardBody>
      <Skeleton screenreaderText={`Loading ${title.toLowerCase()}`} />
    </CardBody>
  </Card>
)

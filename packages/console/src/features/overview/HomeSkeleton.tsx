import '@patternfly/react-styles/css/components/Card/card.css'
import { Skeleton } from '../../ui/status/Skeleton'
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
  <div className="pf-v6-c-card pf-m-compact slipway-home-card">
    <div className="pf-v6-c-card__title">
      <div className="pf-v6-c-card__title-text">{title}</div>
    </div>
    <div className="pf-v6-c-card__body">
      <Skeleton screenreaderText={`Loading ${title.toLowerCase()}`} />
    </div>
  </div>
)

import { Button, Card, CardBody, CardFooter, CardTitle } from '@patternfly/react-core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useStored } from '../../lib/stored'
import { tourQuery } from '../../parts/tour/tour'
import { showStep, tourProgress } from '../../parts/tour/tour-progress'
import { focusHeading } from '../../ui/page/focus-heading'
import './overview.css'

/** Offers the tour until the user has taken or declined it. */
export function TourCard() {
  const { data: steps = [] } = useQuery(tourQuery)
  const [progress, setProgress] = useStored(tourProgress)
  const navigate = useNavigate()
  if (steps.length === 0 || progress !== undefined) return null
  return (
    <Card isCompact className="slipway-tour-offer">
      <CardTitle component="h2">New here? Take the tour</CardTitle>
      <CardBody>
        {steps.length} short steps through the demo: a build that failed, a release that is blocked, and what the
        console says about them. You can leave at any time, and find the tour again in the Help menu.
      </CardBody>
      <CardFooter className="slipway-overview__links">
        <Button onClick={() => showStep(steps, 0, navigate)}>Start the tour</Button>
        <Button
          variant="link"
          onClick={() => {
            setProgress('ended')
            focusHeading()
          }}
        >
          No, thanks
        </Button>
      </CardFooter>
    </Card>
  )
}

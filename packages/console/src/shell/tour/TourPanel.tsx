import { Button, Title } from '@patternfly/react-core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { useStored } from '../../lib/stored'
import { showStep, tourProgress } from '../../parts/tour/tour-progress'
import { tourQuery } from '../../parts/tour/tour'
import { focusHeading } from '../../ui/page/focus-heading'
import './tour.css'

/** The current step of the tour, below the page that it is about. It covers nothing, and the page can be used. */
export function TourPanel() {
  const { data: steps = [] } = useQuery(tourQuery)
  const [progress, setProgress] = useStored(tourProgress)
  const navigate = useNavigate()
  const panel = useRef<HTMLElement>(null)
  const index = typeof progress === 'number' ? progress : -1
  const step = steps[index]
  const isShown = step !== undefined
  // What has opened it is on another page, or behind a menu.
  useEffect(() => {
    if (isShown) panel.current?.focus()
  }, [isShown])
  if (!step) return null
  const isLast = index === steps.length - 1
  const end = () => {
    setProgress('ended')
    focusHeading()
  }
  return (
    <aside ref={panel} tabIndex={-1} aria-label="Tour" className="slipway-tour">
      <div aria-live="polite" aria-atomic className="slipway-tour__step">
        <Title headingLevel="h2" size="md">
          {step.title}
        </Title>
        <p>{step.text}</p>
      </div>
      <div className="slipway-tour__controls">
        <span className="slipway-tour__position">
          Step {index + 1} of {steps.length}
        </span>
        <Button
          variant="secondary"
          size="sm"
          isAriaDisabled={index === 0}
          onClick={() => showStep(steps, index - 1, navigate)}
        >
          Back
        </Button>
        <Button size="sm" onClick={() => (isLast ? end() : showStep(steps, index + 1, navigate))}>
          {isLast ? 'Finish' : 'Next'}
        </Button>
        {!isLast && (
          <Button variant="link" size="sm" onClick={end}>
            End tour
          </Button>
        )}
      </div>
    </aside>
  )
}

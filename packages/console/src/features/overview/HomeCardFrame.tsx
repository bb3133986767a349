import { Card, CardBody, CardTitle } from '@patternfly/react-core'
import { type ReactNode, useId } from 'react'

interface HomeCardFrameProps {
  title: string
  /** How many there are; not shown for none. */
  count?: number | undefined
  children: ReactNode
}

/** The frame of a card of the overview: a region with a heading. */
export function HomeCardFrame({ title, count = 0, children }: HomeCardFrameProps) {
  const id = useId()
  return (
    <Card isCompact component="section" aria-labelledby={id} className="slipway-home-card">
      <CardTitle component="h2" id={id}>
        {title}
        {count > 0 && <span className="slipway-home-card__count"> {count}</span>}
      </CardTitle>
      <CardBody>{children}</CardBody>
    </Card>
  )
}

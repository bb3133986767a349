import { Card, CardBody, CardFooter, CardTitle } from '@patternfly/react-core'
import type { ReactNode } from 'react'

interface LinkCardProps {
  title: string
  text: string
  link: ReactNode
}

export const LinkCard = ({ title, text, link }: LinkCardProps) => (
  <Card isFullHeight>
    <CardTitle component="h2">{title}</CardTitle>
    <CardBody>{text}</CardBody>
    <CardFooter>{link}</CardFooter>
  </Card>
)

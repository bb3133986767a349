import { Card, CardBody, CardTitle, Content, Icon, List, ListItem } from '@patternfly/react-core'
import CheckIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-check-circle-fill-icon'

const points = [
  'Build artifacts of all kinds from source',
  'Rapidly improve the security of the software supply chain',
  'Catch critical vulnerabilities quickly',
]

export const IntroBanner = () => (
  <Card isFullHeight className="slipway-intro">
    <CardTitle component="h2">From source to a release you can trust</CardTitle>
    <CardBody>
      <Content component="p">
        Build, sign, test and release your software on one platform, with evidence of every step.
      </Content>
      <List isPlain iconSize="large">
        {points.map((point) => (
          <ListItem
            key={point}
            icon={
              <Icon status="success">
                <CheckIcon />
              </Icon>
            }
          >
            {point}
          </ListItem>
        ))}
      </List>
    </CardBody>
  </Card>
)

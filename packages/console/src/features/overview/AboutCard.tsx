import { Card, CardBody, CardTitle, Content } from '@patternfly/react-core'
import BuildIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-build-icon'
import FingerprintIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-fingerprint-icon'
import BugIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-bug-icon'
import SecuredIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-secured-icon'
import LabIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-lab-icon'
import BranchIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-branch-icon'

const abilities = [
  {
    title: 'Build',
    Icon: BuildIcon,
    text: 'Turn source into images and other artifacts, each traceable to a commit.',
  },
  {
    title: 'Securely Sign',
    Icon: FingerprintIcon,
    text: 'Sign every artifact and keep a tamper-proof record of how it was built.',
  },
  {
    title: 'Identify Vulnerabilities',
    Icon: BugIcon,
    text: 'Scan every build, and see what can be fixed.',
  },
  {
    title: 'Supply Chain Safeguards',
    Icon: SecuredIcon,
    text: 'Let policies decide what may be released, by the provenance and contents of each artifact.',
  },
  {
    title: 'Integration Tests',
    Icon: LabIcon,
    text: 'Test components together before release, in your own pipeline.',
  },
  {
    title: 'SCM Integration',
    Icon: BranchIcon,
    text: 'Build pushes and pull requests, and report results where you review.',
  },
]

export const AboutCard = () => (
  <Card className="slipway-overview__row">
    <CardTitle component="h2">About</CardTitle>
    <CardBody>
      <ul className="slipway-abilities" role="list">
        {abilities.map(({ title, text, Icon }) => (
          <li key={title} className="slipway-ability">
            <span className="slipway-ability__icon">
              <Icon aria-hidden />
            </span>
            <Content>
              <h3>{title}</h3>
              <p>{text}</p>
            </Content>
          </li>
        ))}
      </ul>
    </CardBody>
  </Card>
)

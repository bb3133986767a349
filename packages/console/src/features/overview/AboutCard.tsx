import { Card, CardBody, CardTitle, Content, Gallery } from '@patternfly/react-core'
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
    text: 'Turn source into images and other artifacts, in builds that anyone can trace back to a commit.',
  },
  {
    title: 'Securely Sign',
    Icon: FingerprintIcon,
    text: 'Sign what is built and keep a tamper-proof record of how it was made.',
  },
  {
    title: 'Identify Vulnerabilities',
    Icon: BugIcon,
    text: 'Scan every build for known vulnerabilities, and see which of them can be fixed.',
  },
  {
    title: 'Supply Chain Safeguards',
    Icon: SecuredIcon,
    text: 'Let policies decide what may be released, from the provenance and contents of each artifact.',
  },
  {
    title: 'Integration Tests',
    Icon: LabIcon,
    text: 'Try components together before they leave, in a pipeline of your own.',
  },
  {
    title: 'SCM Integration',
    Icon: BranchIcon,
    text: 'Start builds from pushes and pull requests, and report their results where you review.',
  },
]

export const AboutCard = () => (
  <Card>
    <CardTitle component="h2">About</CardTitle>
    <CardBody>
      <Gallery component="ul" hasGutter minWidths={{ default: '100%', md: '18rem' }} className="slipway-abilities">
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
      </Gallery>
    </CardBody>
  </Card>
)

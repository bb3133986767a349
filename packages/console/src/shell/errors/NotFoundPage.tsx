import PathMissingIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-route-icon'
import { paths } from '../../paths'
import { ButtonLink } from '../../ui/ButtonLink'
import { MessagePage } from './MessagePage'

export const NotFoundPage = () => (
  <MessagePage
    title="Page not found"
    heading="404: Page not found"
    icon={PathMissingIcon}
    action={<ButtonLink to={paths.overview()}>Go to applications list</ButtonLink>}
  >
    Looks like that page doesn't exist. Let's get you back to your applications list.
  </MessagePage>
)

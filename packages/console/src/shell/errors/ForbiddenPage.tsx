import { Content } from '@patternfly/react-core'
import LockIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-lock-icon'
import { useParams } from 'react-router'
import { paths } from '../../paths'
import { ButtonLink } from '../../ui/actions/ButtonLink'
import { MessagePage } from './MessagePage'

/**
 * @param reason the cluster's own message
 * @param note what else may be the cause
 */
export function ForbiddenPage({ reason, note }: { reason?: string; note?: string }) {
  const { namespace } = useParams()
  return (
    <MessagePage
      title="Restricted access"
      heading="Let's get you access"
      icon={LockIcon}
      action={<ButtonLink to={paths.overview()}>Go to Overview page</ButtonLink>}
    >
      <Content component="p">
        {namespace
          ? `Ask the administrator or the owner of the '${namespace}' namespace for access permissions.`
          : 'Ask your administrator for access permissions.'}
      </Content>
      {note && <Content component="p">{note}</Content>}
      {reason && <Content component="small">{reason}</Content>}
    </MessagePage>
  )
}

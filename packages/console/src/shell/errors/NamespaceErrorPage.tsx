import { Content } from '@patternfly/react-core'
import LockIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-lock-icon'
import { paths } from '../../paths'
import { ButtonLink } from '../../ui/actions/ButtonLink'
import { MessagePage } from './MessagePage'
import type { NamespaceAccessError } from './namespace-access-error'

export function NamespaceErrorPage({ error }: { error: NamespaceAccessError }) {
  const { namespace, alternative, message, isMissing } = error
  const action = alternative ? (
    <ButtonLink to={paths.applications({ namespace: alternative })}>Go to {alternative} namespace</ButtonLink>
  ) : (
    <ButtonLink to={paths.namespaces()}>Go to namespaces list</ButtonLink>
  )
  return (
    <MessagePage
      title="Unable to access namespace"
      heading={`Unable to access namespace ${namespace}`}
      icon={LockIcon}
      action={action}
    >
      <Content component="p">
        {isMissing
          ? 'It does not exist. It may have been deleted.'
          : 'It does not exist, or you do not have access to it: the cluster does not say which.'}
      </Content>
      <Content component="p">{message}</Content>
    </MessagePage>
  )
}

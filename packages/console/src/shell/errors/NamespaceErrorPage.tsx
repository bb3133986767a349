import { Content } from '@patternfly/react-core'
import LockIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-lock-icon'
import { paths } from '../../paths'
import { ButtonLink } from '../../ui/actions/ButtonLink'
import { MessagePage } from './MessagePage'

/** A namespace that does not exist or that the user may not access; the message is the cluster's. */
export class NamespaceAccessError extends Error {
  override name = 'NamespaceAccessError'
  readonly namespace: string
  /** Another namespace that the user can access, if any. */
  readonly alternative: string | undefined

  constructor(namespace: string, alternative: string | undefined, cause: Error) {
    super(cause.message, { cause })
    this.namespace = namespace
    this.alternative = alternative
  }
}

export function NamespaceErrorPage({ error: { namespace, alternative, message } }: { error: NamespaceAccessError }) {
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
      <Content component="p">{message}</Content>
    </MessagePage>
  )
}

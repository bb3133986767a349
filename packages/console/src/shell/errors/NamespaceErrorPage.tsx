import { Content } from '@patternfly/react-core'
import LockIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-lock-icon'
import { isNotFound } from '@slipway/kube/status'
import { paths } from '../../paths'
import { ButtonLink } from '../../ui/actions/ButtonLink'
import { MessagePage } from './MessagePage'

/** A namespace that does not exist or that the user may not access; the message is the cluster's. */
export class NamespaceAccessError extends Error {
  override name = 'NamespaceAccessError'
  readonly namespace: string
  /** Another namespace that the user can access, if any. */
  readonly alternative: string | undefined
  /** Whether the cluster says that it does not exist; to users who may not read it, the cluster does not say which. */
  readonly isMissing: boolean

  constructor(namespace: string, alternative: string | undefined, cause: Error) {
    super(cause.message, { cause })
    this.namespace = namespace
    this.alternative = alternative
    this.isMissing = isNotFound(cause)
  }
}

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

import { Content } from '@patternfly/react-core'
import PathMissingIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-route-icon'
import { paths } from '../../paths'
import { ButtonLink } from '../../ui/actions/ButtonLink'
import { MessagePage } from './MessagePage'

/** @param url of the request that returned 404, which names the missing object; absent if the page itself is missing */
export function NotFoundPage({ url = '' }: { url?: string }) {
  const missing = missingObject(url)
  return (
    <MessagePage
      title="Page not found"
      heading="404: Page not found"
      icon={PathMissingIcon}
      action={<ButtonLink to={paths.overview()}>Go to applications list</ButtonLink>}
    >
      {missing && (
        <Content component="p">
          There is no {missing.kind} <strong>{missing.name}</strong> in the namespace{' '}
          <strong>{missing.namespace}</strong>.
        </Content>
      )}
      <Content component="p">Looks like that page doesn't exist. Let's get you back to your applications list.</Content>
    </MessagePage>
  )
}

/** Kinds that have a page of their own, by the plural names of their resources. */
const kinds: Readonly<Partial<Record<string, string>>> = {
  applications: 'application',
  components: 'component',
  pipelineruns: 'pipeline run',
  taskruns: 'task run',
  rolebindings: 'role binding',
}

/** Parses `/apis/…/namespaces/team/applications/checkout`; `undefined` for other URLs. */
function missingObject(url: string) {
  const [, namespace, plural = '', name] = /\/namespaces\/([^/?]+)\/([^/?]+)\/([^/?]+)(?:\?|$)/.exec(url) ?? []
  const kind = Object.hasOwn(kinds, plural) && kinds[plural]
  return namespace && name && kind ? { kind, name: decodeURIComponent(name), namespace } : undefined
}

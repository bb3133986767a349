import { Label } from '@patternfly/react-core'
import KeyIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-key-icon'
import { isForbidden, isNotFound } from '@slipway/kube/status'
import { secretTypeText } from '@slipway/model/secrets/secret'
import { serviceAccountOf } from '@slipway/model/secrets/service-account'
import { useJoined, useList, useObject } from '../../api/source'
import { paths } from '../../paths'
import { components } from '../../resources/components'
import { secrets } from '../../resources/secrets'
import { linkSecretsPermission, serviceAccounts } from '../../resources/service-accounts'
import { ActionButton } from '../../ui/actions/ActionButton'
import { actionChecks } from '../../ui/actions/defined-action'
import { DefinedButton } from '../../ui/actions/DefinedButton'
import { useAction, useActions } from '../../ui/actions/use-actions'
import { applicationCrumbs } from '../../parts/applications/ApplicationSwitcher'
import { Page } from '../../ui/page/Page'
import { route } from '../../ui/page/route'
import { createSecret } from '../../parts/secrets/actions'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { byName, nameColumn } from '../../ui/table/common-columns'
import { ListTable } from '../../ui/table/ListTable'
import type { Column, Filter } from '../../ui/table/rows'
import { linkedSecretActions, linkSecrets } from './linked-secret-actions'
import { findAccount, type LinkedSecret, linkedSecretRows, toLinkedSecrets } from './linked-secrets'

export const page = route(paths.linkedSecrets, ({ namespace, component }) => ({
  require: linkSecretsPermission.checks(namespace),
  check: actionChecks(namespace, createSecret, linkSecrets, ...linkedSecretActions),
  read: [components.get(namespace, component), serviceAccounts.links(namespace), secrets.list(namespace)],
}))

export { LinkedSecretsPage as Component }
function LinkedSecretsPage() {
  const at = page.useParams()
  const { namespace, application, component } = at
  const source = useObject(components.ofApplication(namespace, application, component))
  const accountList = useList(serviceAccounts.links(namespace), 'service accounts')
  const secretList = useList(secrets.list(namespace), 'secrets')
  const account = findAccount(accountList.rows, component)
  const links = useJoined(
    [accountList, secretList],
    ([accounts, all]) => accounts && all && toLinkedSecrets(findAccount(accounts, component), all),
    linkedSecretRows,
  )
  const link = useAction(linkSecrets, at, undefined)
  const { actionsOf, dialog } = useActions(linkedSecretActions, { ...at, source, account })
  // The not-found and forbidden pages belong to the route.
  if (!source.rows && (isNotFound(source.error) || isForbidden(source.error))) throw source.error
  const linkButton = (
    <>
      <ActionButton disabledReason={link.action.disabledReason} onClick={link.action.onSelect}>
        {link.action.label}
      </ActionButton>{' '}
      <DefinedButton action={createSecret} at={at} variant="link" />
    </>
  )
  return (
    <Page
      title="Linked secrets"
      documentTitle={`${component} - Linked secrets`}
      description={`Secrets that the builds of ${component} can use.`}
      breadcrumbs={[
        ...applicationCrumbs(at),
        { label: 'Components', to: paths.components(at) },
        { label: component, to: paths.component(at) },
        { label: 'Linked secrets' },
      ]}
    >
      <ListTable
        label="Linked secrets"
        source={links}
        columns={columns}
        filters={filters}
        actions={(row) => actionsOf({ links: [row], deselect: () => {} })}
        bulkActions={(links, deselect) => actionsOf({ links, deselect })}
        toolbar={linkButton}
        empty={
          <MessagePanel titleText="No linked secrets found" icon={KeyIcon} action={linkButton}>
            {account
              ? `Link secrets so that the builds of ${component} can pull private images and sign in to registries and git hosts.`
              : `The service account ${serviceAccountOf(component)} does not exist yet. The platform creates it for new components.`}
          </MessagePanel>
        }
      />
      {link.dialog}
      {dialog}
    </Page>
  )
}

const usesOf = ({ isForImages }: LinkedSecret) => (isForImages ? 'Tasks and image pulls' : 'Tasks')
const typeOf = ({ secret }: LinkedSecret) => secret && secretTypeText(secret)

const columns: Column<LinkedSecret>[] = [
  nameColumn(({ name }) => name, { width: 40 }),
  {
    id: 'type',
    label: 'Secret type',
    sortBy: typeOf,
    cell: (row) =>
      typeOf(row) ?? (
        <Label isCompact variant="outline" status="warning">
          Secret does not exist
        </Label>
      ),
  },
  { id: 'uses', label: 'Available to', sortBy: usesOf, cell: usesOf },
]

const filters: Filter<LinkedSecret>[] = [byName(({ name }) => name)]

import { Label } from '@patternfly/react-core'
import KeyIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-key-icon'
import { isForbidden, isNotFound } from '@slipway/kube/status'
import { secretTypeText } from '@slipway/model/secrets/secret'
import { serviceAccountOf } from '@slipway/model/secrets/service-account'
import { useState } from 'react'
import { disabledReason, useAccess } from '../../api/access/access'
import { useJoined, useList, useObject } from '../../api/source'
import { paths } from '../../paths'
import { components } from '../../resources/components'
import { createSecretChecks, secrets } from '../../resources/secrets'
import { linkSecretsChecks, serviceAccounts } from '../../resources/service-accounts'
import { ActionButton } from '../../ui/actions/ActionButton'
import { applicationCrumbs } from '../../ui/applications/ApplicationSwitcher'
import { lazyComponent, ChunkLoadAlert } from '../../ui/page/lazy-component'
import { createLoader } from '../../ui/page/needs'
import { Page } from '../../ui/page/Page'
import { useRequiredParams } from '../../ui/page/route-params'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { byName, nameColumn } from '../../ui/table/common-columns'
import { ResourceTable } from '../../ui/table/ResourceTable'
import type { Column, Filter } from '../../ui/table/rows'
import { findAccount, type LinkedSecret, linkedSecretRows, toLinkedSecrets } from './linked-secrets'

export const loader = createLoader(['namespace', 'application', 'component'], ({ namespace, component }) => ({
  require: linkSecretsChecks(namespace),
  check: createSecretChecks(namespace),
  read: [components.get(namespace, component), serviceAccounts.linked(namespace), secrets.list(namespace)],
}))

export { LinkedSecretsPage as Component }
function LinkedSecretsPage() {
  const at = useRequiredParams('namespace', 'application', 'component')
  const { namespace, application, component } = at
  const [isLinking, setIsLinking] = useState(false)
  const [unlinking, setUnlinking] = useState<{ links: readonly LinkedSecret[]; onDone: () => void }>()
  const mayLink = useAccess(linkSecretsChecks(namespace))
  const mayCreate = useAccess(createSecretChecks(namespace))
  const source = useObject(components.ofApplication(namespace, application, component))
  const accountList = useList(serviceAccounts.linked(namespace), 'service accounts')
  const secretList = useList(secrets.list(namespace), 'secrets')
  const account = findAccount(accountList.rows, component)
  const links = useJoined(
    [accountList, secretList],
    ([accounts, all]) => accounts && all && toLinkedSecrets(findAccount(accounts, component), all),
    linkedSecretRows,
  )
  // The not-found and forbidden pages belong to the route.
  if (!source.rows && (isNotFound(source.error) || isForbidden(source.error))) throw source.error
  const noAccess = disabledReason(mayLink, "You don't have access to manage linked secrets")
  const linkButton = (
    <>
      <ActionButton disabledReason={noAccess} onClick={() => setIsLinking(true)}>
        Link Secrets
      </ActionButton>{' '}
      <ActionButton
        variant="link"
        to={paths.createSecret({ namespace })}
        disabledReason={disabledReason(mayCreate, "You don't have access to create a secret")}
      >
        Add secret
      </ActionButton>
    </>
  )
  const unlinkAction = (rows: readonly LinkedSecret[], onDone = () => {}) => ({
    label: 'Unlink',
    isDanger: true,
    disabledReason: noAccess,
    onSelect: () => setUnlinking({ links: rows, onDone }),
  })
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
      <ResourceTable
        label="Linked secrets"
        source={links}
        columns={columns}
        filters={filters}
        actions={(row) => [unlinkAction([row])]}
        bulkActions={(rows, deselect) => [unlinkAction(rows, deselect)]}
        toolbar={linkButton}
        empty={
          <MessagePanel titleText="No linked secrets found" icon={KeyIcon} action={linkButton}>
            {account
              ? `Link secrets so that the builds of ${component} can pull private images and sign in to registries and git hosts.`
              : `The service account ${serviceAccountOf(component)} does not exist yet. The platform creates it for new components.`}
          </MessagePanel>
        }
      />
      {isLinking && (
        <LinkSecretsDialog namespace={namespace} component={component} onClose={() => setIsLinking(false)} />
      )}
      {unlinking && (
        <UnlinkSecretsDialog
          namespace={namespace}
          component={component}
          source={source}
          account={account}
          {...unlinking}
          onClose={() => setUnlinking(undefined)}
        />
      )}
    </Page>
  )
}

const LinkSecretsDialog = lazyComponent(() => import('./LinkSecretsDialog'), 'LinkSecretsDialog', {
  Missing: ChunkLoadAlert,
})
const UnlinkSecretsDialog = lazyComponent(() => import('./UnlinkSecretsDialog'), 'UnlinkSecretsDialog', {
  Missing: ChunkLoadAlert,
})

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

import KeyIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-key-icon'
import { type Secret, secretType, serviceAccountType } from '@slipway/kube/core-types'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { linkTaskOf, secretTypeName, secretTypeText } from '@slipway/model/secrets/secret'
import { concernsOf, type ObservedSecret, secretConcerns } from '@slipway/model/secrets/secret-concerns'
import { accountCount } from '@slipway/model/secrets/secret-links'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAccess, useDisabledReason } from '../../api/access/use-access'
import { permission } from '../../api/access/permission'
import { paths } from '../../paths'
import { components } from '../../resources/components'
import { editSecretPermission, secrets } from '../../resources/secrets'
import { serviceAccounts } from '../../resources/service-accounts'
import { actionChecks } from '../../ui/actions/defined-action'
import { DefinedButton } from '../../ui/actions/DefinedButton'
import { useActions } from '../../ui/actions/use-actions'
import { SourceReporter } from '../../ui/SourceReporter'
import { lazyComponent, ChunkLoadAlert } from '../../ui/page/lazy-component'
import { Page } from '../../ui/page/Page'
import { route } from '../../ui/page/route'
import { createSecret } from '../../parts/secrets/actions'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { valueWidthsRem } from '../../ui/table/column-widths'
import { byName, nameColumn } from '../../ui/table/common-columns'
import { ListTable } from '../../ui/table/ListTable'
import type { Column, Filter } from '../../ui/table/rows'
import { LinkedComponents } from './LinkedComponents'
import { secretActions } from './secret-actions'
import { SecretLabels } from './SecretLabels'
import { SecretStatus } from './SecretStatus'
import { useSecretRows } from './use-secret-rows'

export const page = route(paths.secrets, ({ namespace }) => ({
  require: [{ verb: 'list', type: secretType, namespace }],
  check: [...actionChecks(namespace, createSecret, ...secretActions), ...linkSecretPermission.checks(namespace)],
  read: [secrets.list(namespace), serviceAccounts.links(namespace), components.names(namespace)],
}))

/** A link task records its state on the secret. */
const linkSecretPermission = permission(
  "You don't have access to link this secret",
  ['patch', serviceAccountType],
  ['patch', secretType],
)

export { SecretListPage as Component }
function SecretListPage() {
  const { namespace } = page.useParams()
  return (
    <Page
      title="Secrets"
      breadcrumbs={[{ label: 'Secrets' }]}
      description="Credentials and other values that builds and releases of this namespace use."
    >
      <SecretTable namespace={namespace} />
    </Page>
  )
}

function SecretTable({ namespace }: { namespace: string }) {
  const [failed, setFailed] = useState<Secret>()
  const mayEdit = useAccess(editSecretPermission.checks(namespace)).isAllowed
  const linkDisabledReason = useDisabledReason(linkSecretPermission, namespace)
  const { source, links, linksError } = useSecretRows(namespace)
  const { actionsOf, dialog } = useActions(
    secretActions,
    { namespace },
    { current: (shown) => source.rows?.find((row) => source.kind.idOf(row) === source.kind.idOf(shown)) ?? shown },
  )
  return (
    <>
      <ListTable
        label="Secrets"
        source={source}
        columns={columns}
        filters={filters}
        firstSort="name"
        at={{ mayEdit, linkDisabledReason, linksError, onViewError: setFailed }}
        toolbar={<DefinedButton action={createSecret} at={{ namespace }} />}
        empty={<NoSecrets namespace={namespace} />}
        actions={actionsOf}
      />
      <SourceReporter label="Links to components" source={links} />
      {dialog}
      {failed && <LinkErrorDialog secret={failed} onClose={() => setFailed(undefined)} />}
    </>
  )
}

const LinkErrorDialog = lazyComponent(() => import('./LinkErrorDialog'), 'LinkErrorDialog', {
  Missing: ChunkLoadAlert,
})

/** What cells need besides their row. */
interface At {
  mayEdit: boolean
  linkDisabledReason: string | false
  linksError: Error | undefined
  onViewError: (secret: Secret) => void
}

const nameOfSecret = ({ secret }: ObservedSecret): string => nameOf(secret)

const columns: Column<ObservedSecret, At>[] = [
  {
    id: 'status',
    label: 'Status',
    width: 20,
    sortBy: ({ secret }) => linkTaskOf(secret)?.state,
    cell: (row, { linkDisabledReason, onViewError }) => (
      <SecretStatus row={row} linkDisabledReason={linkDisabledReason} onViewError={() => onViewError(row.secret)} />
    ),
  },
  nameColumn(nameOfSecret, { cell: ({ secret }, { mayEdit }) => <SecretName secret={secret} mayEdit={mayEdit} /> }),
  {
    id: 'type',
    label: 'Secret type',
    width: 15,
    sortBy: ({ secret }) => secretTypeText(secret),
    cell: ({ secret }) => secretTypeText(secret),
  },
  {
    id: 'components',
    label: 'Components',
    widthRem: valueWidthsRem.count,
    sortBy: ({ links }) => links && accountCount(links),
    cell: (row, { linksError }) => <LinkedComponents row={row} error={linksError} />,
  },
  {
    id: 'labels',
    label: 'Labels',
    width: 15,
    visibleFrom: 'lg',
    cell: ({ secret }) => <SecretLabels secret={secret} />,
  },
]

const filters: Filter<ObservedSecret>[] = [
  byName(nameOfSecret),
  { id: 'type', label: 'Secret type', choices: ({ secret }) => secretTypeName(secret) },
  { id: 'attention', label: 'Needs attention', choices: concernsOf, values: secretConcerns },
]

/** A secret has no page of its own: its name leads users who may edit it to the form. */
function SecretName({ secret, mayEdit }: { secret: Secret; mayEdit: boolean }) {
  const name = nameOf(secret)
  if (!mayEdit || secret.metadata.deletionTimestamp) return name
  return <Link to={paths.editSecret({ namespace: namespaceOf(secret) ?? '', secret: name })}>{name}</Link>
}

const NoSecrets = ({ namespace }: { namespace: string }) => (
  <MessagePanel
    titleText="Easily manage your build and deployment secrets"
    icon={KeyIcon}
    action={<DefinedButton action={createSecret} at={{ namespace }} />}
  >
    Add a secret to let builds pull from a private registry, clone a private repository or use a service.
  </MessagePanel>
)

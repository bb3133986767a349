import type { RoleBinding } from '@slipway/kube/core-types'
import { publicGrants } from '@slipway/model/access/namespace-visibility'
import type { GrantableRole } from '@slipway/model/platform/public-info'
import type { NamespaceParams } from '../../paths'
import { changeVisibilityPermission } from '../../resources/role-bindings'
import type { DefinedAction } from '../../ui/actions/defined-action'
import { DefinedButton } from '../../ui/actions/DefinedButton'
import { ChunkLoadAlert, lazyComponent } from '../../ui/page/lazy-component'
import '../../ui/facts-line.css'

const NamespaceVisibilityDialog = lazyComponent(
  () => import('./NamespaceVisibilityDialog'),
  'NamespaceVisibilityDialog',
  { Missing: ChunkLoadAlert },
)

interface NamespaceAccess {
  bindings: readonly RoleBinding[]
  roles: readonly GrantableRole[]
}

const grantsOf = ({ bindings, roles }: NamespaceAccess) => publicGrants(bindings, roles)

/** Makes a namespace public or private. */
export const changeNamespaceVisibility: DefinedAction<NamespaceAccess> = {
  label: (access) => (grantsOf(access).length > 0 ? 'Make private' : 'Make public'),
  isWrite: true,
  needs: changeVisibilityPermission,
  dialog: (access, { at, onClose }) => (
    <NamespaceVisibilityDialog
      namespace={at.namespace}
      grants={grantsOf(access)}
      bindings={access.bindings}
      onClose={onClose}
    />
  ),
}

/** Who can see a namespace: everyone who is signed in, or only users with a role. */
export function NamespaceVisibility({ at, ...access }: NamespaceAccess & { at: NamespaceParams }) {
  const grants = grantsOf(access)
  const others = grants.filter(({ role }) => role !== 'Viewer').map(({ role }) => role)
  return (
    <div className="slipway-facts-line" role="group" aria-label="Visibility">
      <span>
        {grants.length === 0 ? (
          <>
            <strong>Private</strong>: only users with a role can see this namespace.
          </>
        ) : (
          <>
            <strong>Public</strong>: everyone who is signed in can see this namespace
            {others.length > 0 ? `, with the role ${others.join(' and ')}` : ''}.
          </>
        )}
      </span>
      <DefinedButton action={changeNamespaceVisibility} at={at} subject={access} variant="link" isInline />
    </div>
  )
}

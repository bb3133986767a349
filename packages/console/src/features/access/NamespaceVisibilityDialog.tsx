import { Content } from '@patternfly/react-core'
import type { RoleBinding } from '@slipway/kube/core-types'
import type { PublicGrant } from '@slipway/model/access/namespace-visibility'
import { useState } from 'react'
import { allOrNothing } from '../../api/writes/all-or-nothing'
import { ConfirmDialog } from '../../ui/form/ConfirmDialog'
import { privateWrites, publicWrites } from './access-form'

interface NamespaceVisibilityDialogProps {
  namespace: string
  /** The bindings that make the namespace public; none if it is private. */
  grants: readonly PublicGrant[]
  bindings: readonly RoleBinding[]
  onClose: () => void
}

/** Asks for confirmation before a namespace becomes public or private. */
export function NamespaceVisibilityDialog({ namespace, grants, bindings, onClose }: NamespaceVisibilityDialogProps) {
  // As it was when the user asked: what others change meanwhile must not turn the question around.
  const [asked] = useState({ grants, bindings })
  const isPublic = asked.grants.length > 0
  return isPublic ? (
    <ConfirmDialog
      title={`Make ${namespace} private?`}
      confirmLabel="Make private"
      writes={privateWrites(asked.grants)}
      perform={allOrNothing}
      onClose={onClose}
    >
      <Content component="p">
        Only users and groups with a role in <strong>{namespace}</strong> will be able to see it. All others who are
        signed in lose the role <strong>{rolesOf(asked.grants)}</strong>, and the namespace disappears from their list.
      </Content>
    </ConfirmDialog>
  ) : (
    <ConfirmDialog
      title={`Make ${namespace} public?`}
      confirmLabel="Make public"
      isDanger
      writes={publicWrites(namespace, asked.bindings)}
      perform={allOrNothing}
      onClose={onClose}
    >
      <Content component="p">
        Everyone who can sign in to this platform will be able to see what is in <strong>{namespace}</strong>:
        applications, components, image repositories, pipeline runs and their logs, snapshots, integration tests,
        releases, policies and config maps.
      </Content>
      <Content component="p">
        They can change nothing, and see neither secrets nor user access. Logs and config maps may contain what was not
        meant for others.
      </Content>
    </ConfirmDialog>
  )
}

const rolesOf = (grants: readonly PublicGrant[]): string => [...new Set(grants.map(({ role }) => role))].join(' and ')

import { Button, List, ListItem, Skeleton } from '@patternfly/react-core'
import { accessRequest, grantersIn, rightText, rolesOfUser, rolesWith } from '@slipway/model/access/missing-right'
import type { GrantableRole } from '@slipway/model/platform/public-info'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { accessQuery } from '../api/access/access'
import { lens } from '../api/client'
import { useStore } from '../lib/store'
import { useRolesWithRules } from '../parts/access/use-roles-with-rules'
import { clusterUser } from '../resources/cluster-user'
import { publicInfo } from '../resources/public-info'
import { roleBindings } from '../resources/role-bindings'
import { CopyButton } from '../ui/actions/CopyButton'
import { type MissingRight, missingRight } from '../ui/actions/missing-right'
import { Dialog } from '../ui/dialogs/Dialog'
import { Details } from '../ui/page/Details'

const close = () => missingRight.set(undefined)

/** Why a control is disabled: which rights are missing, which roles have them, and who can give those. */
export function MissingRightDialog() {
  const missing = useStore(missingRight)
  const { key } = useLocation()
  // Navigation closes what was opened on the previous page.
  useEffect(() => close, [key])
  return missing && <Explanation {...missing} />
}

function Explanation({ action, permission, namespace }: MissingRight) {
  const checks = permission.checks(namespace)
  const answers = useQueries({ queries: checks.map(accessQuery) })
  const missing = checks.filter((_, index) => answers[index]?.data !== true)
  const { data: user } = useQuery(clusterUser)
  const info = useQuery(publicInfo.get())
  const configured = info.data?.roles ?? []
  const { roles, isDelivered, isPending } = useRolesWithRules(configured)
  const bindings = useQuery(roleBindings.list(namespace))
  const giving = rolesWith(roles, checks)
  const least = giving.at(-1)
  const own = user && bindings.data ? rolesOfUser(configured, bindings.data.items, user) : undefined
  const granters = bindings.data ? grantersIn(roles, bindings.data.items) : undefined
  const waits = isPending || info.isPending || bindings.isPending
  const loading = <Skeleton width="8rem" screenreaderText="Loading" />
  const ownRoles = own ? namesOf(own) || 'None of the roles of this platform' : waits ? loading : 'Could not be read'
  return (
    <Dialog
      title={`Why can't I? ${action}`}
      variant="medium"
      onClose={close}
      footer={
        <>
          <CopyButton
            noun="request"
            label="Copy request"
            disabledReason={lens ? `You view the console as ${lens.role}` : !user && 'Your name could not be read'}
            text={accessRequest({ username: user?.username ?? '', namespace, action, rights: missing, role: least })}
          />
          <Button variant="link" onClick={close}>
            Close
          </Button>
        </>
      }
    >
      <Details
        label="Rights"
        items={[
          ['Needed', <Lines key="needed" texts={checks.map((check) => `${rightText(check)} in ${namespace}`)} />],
          ['You lack', <Lines key="missing" texts={missing.map(rightText)} />],
          ['Your role here', lens ? `${lens.role}, as which you view the console` : ownRoles],
          ['Roles that may', waits ? loading : namesOf(giving) || 'None of the roles of this platform'],
          [
            'Who can give them',
            granters
              ? granters.join(', ') || 'No user with a role of this platform'
              : waits
                ? loading
                : "Could not be read: you may not list this namespace's role bindings",
          ],
        ]}
      />
      {isDelivered && (
        <p>You may not read the roles of this cluster: their rights are shown as the platform delivers them.</p>
      )}
    </Dialog>
  )
}

const namesOf = (roles: readonly GrantableRole[]): string => roles.map(({ displayName }) => displayName).join(', ')

const Lines = ({ texts }: { texts: readonly string[] }) => (
  <List isPlain>
    {texts.map((text) => (
      <ListItem key={text}>
        <code>{text}</code>
      </ListItem>
    ))}
  </List>
)

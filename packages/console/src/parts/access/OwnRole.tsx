import { Button, Label, List, ListItem, Popover, Skeleton } from '@patternfly/react-core'
import RoleIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-profile-icon'
import type { PolicyRule } from '@slipway/kube/core-types'
import { capabilities, capabilitiesOf } from '@slipway/model/access/capabilities'
import { lackedOf, type OwnRole as Role, ownRoleText } from '@slipway/model/access/own-role'
import type { GrantableRole } from '@slipway/model/platform/public-info'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { viewAs } from '../../api/access/role-lens'
import { lens } from '../../api/client'
import { userQuery } from '../../api/session/session'
import { paths } from '../../paths'
import { useOverlayContainer } from '../../ui/page/overlay-container'
import { useOwnRole } from './use-own-role'
import { useRolesWithRules } from './use-roles-with-rules'
import './own-role.css'

const noop = () => undefined

/** Which role the user has in a namespace, and on demand what it allows and how the console looks with another one. */
export function OwnRole({ namespace }: { namespace: string }) {
  const { isPending, role, roles, rules } = useOwnRole(namespace)
  const overlayContainer = useOverlayContainer()
  if (isPending) return null
  const text = role ? ownRoleText(role) : 'Role not known'
  return (
    <Popover
      aria-label="Your role"
      appendTo={overlayContainer}
      position="bottom-start"
      headerComponent="h2"
      minWidth="20rem"
      headerContent={`Your role in ${namespace}: ${text}`}
      bodyContent={
        <div className="slipway-own-role__lists">
          <p>{originOf(role)}</p>
          {rules && <Abilities rules={rules} />}
          {roles.length > 0 && <ViewAs roles={roles} rules={rules} />}
        </div>
      }
      footerContent={<Link to={paths.access({ namespace })}>User access</Link>}
    >
      <Label isCompact variant="outline" icon={<RoleIcon />} onClick={noop} className="slipway-own-role">
        <span className="pf-v6-screen-reader">Your role:</span> {text}
      </Label>
    </Popover>
  )
}

function originOf(role: Role | undefined): string {
  switch (role?.kind) {
    case 'role':
      return role.isJudged
        ? `Judged by your rights: you have those of the role ${role.name}. Role bindings that name you could not be read.`
        : 'A role binding of this namespace gives it to you.'
    case 'custom':
      return 'A role binding of this namespace gives it to you. It is not one of the roles of this platform.'
    case 'several':
      return `The role bindings of this namespace give you: ${role.names.join(', ')}.`
    case 'rights':
      return 'Judged by your rights: you have those of none of the roles of this platform.'
    case undefined:
      return 'Neither your role bindings nor all of your rights could be read.'
  }
}

/** What the user can and cannot do. */
function Abilities({ rules }: { rules: readonly PolicyRule[] }) {
  const own = capabilitiesOf(rules)
  const others = capabilities.filter((each) => !own.includes(each))
  return (
    <>
      <Lines title="You can" texts={own.map(({ label }) => label)} />
      <Lines title="You cannot" texts={others.map(({ label }) => label)} />
    </>
  )
}

const Lines = ({ title, texts }: { title: string; texts: readonly string[] }) =>
  texts.length > 0 && (
    <div>
      <h3>{title}</h3>
      <List aria-label={title}>
        {texts.map((text) => (
          <ListItem key={text}>{text}</ListItem>
        ))}
      </List>
    </div>
  )

interface ViewAsProps {
  roles: readonly GrantableRole[]
  /** Those of the user; `undefined` if they are not known. */
  rules: readonly PolicyRule[] | undefined
}

/** Starts to show the console with the rights of another role. */
function ViewAs({ roles, rules }: ViewAsProps) {
  const { data: user } = useQuery(userQuery)
  const { roles: withRules, isDelivered, isPending } = useRolesWithRules(roles)
  return (
    <div>
      <h3>View as</h3>
      {isPending ? (
        <Skeleton screenreaderText="Loading" />
      ) : (
        <List isPlain aria-label="View as">
          {withRules.toReversed().map(({ role: { displayName: name }, rules: ofRole }) => {
            const lacked = rules ? lackedOf(rules, ofRole) : []
            return (
              <ListItem key={name}>
                <Button
                  variant="link"
                  isInline
                  aria-label={`View as ${name}`}
                  isDisabled={!user || lens?.role === name}
                  onClick={() =>
                    user &&
                    viewAs({
                      name,
                      rules: ofRole,
                      isExact: rules !== undefined && lacked.length === 0,
                      email: user.email,
                    })
                  }
                >
                  {name}
                </Button>
                {lacked.length > 0 &&
                  ` has ${lacked.length === 1 ? '1 ability' : `${lacked.length} abilities`} that you lack`}
              </ListItem>
            )
          })}
        </List>
      )}
      {isDelivered && (
        <p>You may not read the roles of this cluster: their rights are those that the platform delivers.</p>
      )}
    </div>
  )
}

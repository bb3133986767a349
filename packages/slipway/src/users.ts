import { scenarioPeople, type ScenarioName } from '@slipway/simulator/scenario-names'

/** A user who can sign in. Kubernetes identifies users by their e-mail address. */
export interface BuiltInUser {
  name: string
  email: string
  groups: string[]
}

export const users = [
  {
    name: 'admin',
    email: 'admin@slipway.test',
    groups: [],
  },
  {
    name: 'maintainer',
    email: 'maintainer@slipway.test',
    groups: [],
  },
  {
    name: 'contributor',
    email: 'contributor@slipway.test',
    groups: [],
  },
  {
    name: 'outsider',
    email: 'outsider@slipway.test',
    groups: [],
  },
] as const satisfies BuiltInUser[]

export type UserName = (typeof users)[number]['name']

/** The built-in users with their initial roles. @param scenario `undefined` if it is unknown */
export function describedUsers(scenario: ScenarioName | undefined): (BuiltInUser & { description: string })[] {
  const unknown = 'Permissions depend on the cluster'
  return users.map((user) => ({ ...user, description: scenario ? scenarioPeople[scenario][user.name] : unknown }))
}

/** E-mail address of a built-in user, which role bindings use as the name. */
export const emailOf = (name: UserName): string => `${name}@slipway.test`

/** The e-mail addresses of all built-in users by name. */
export const emails: Readonly<Record<UserName, string>> = {
  admin: emailOf('admin'),
  maintainer: emailOf('maintainer'),
  contributor: emailOf('contributor'),
  outsider: emailOf('outsider'),
}

/** A cluster administrator, who cannot sign in to the console. */
export const systemIdentity = { name: 'system:admin', groups: ['system:masters'] }

/** The gateway's own account. No user who signs in can have a name with this prefix. */
export const gatewayIdentity = { name: 'system:slipway:gateway', groups: [] as string[] }

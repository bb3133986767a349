import { scenarioPeople, type ScenarioName } from '@slipway/simulator/scenario-names'

/** A person who can sign in. Kubernetes knows people by their e-mail address. */
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

/** The built-in users, as what they are at the beginning. @param scenario `undefined` for one that is not known */
export function describedUsers(scenario: ScenarioName | undefined): (BuiltInUser & { description: string })[] {
  const unknown = 'what the cluster allows'
  return users.map((user) => ({ ...user, description: scenario ? scenarioPeople[scenario][user.name] : unknown }))
}

/** E-mail address of a built-in user: the name that role bindings use. */
export const emailOf = (name: UserName): string => `${name}@slipway.test`

/** The e-mail addresses of all built-in users, by their names. */
export const emails: Readonly<Record<UserName, string>> = {
  admin: emailOf('admin'),
  maintainer: emailOf('maintainer'),
  contributor: emailOf('contributor'),
  outsider: emailOf('outsider'),
}

/** A cluster administrator, who cannot sign in to the console. */
export const systemIdentity = { name: 'system:admin', groups: ['system:masters'] }

/** The gateway's own account. The prefix keeps it out of reach of anybody who signs in. */
export const gatewayIdentity = { name: 'system:slipway:gateway', groups: [] as string[] }

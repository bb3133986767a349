/** A person who can sign in. Kubernetes knows people by their e-mail address. */
export interface BuiltInUser {
  name: string
  email: string
  groups: string[]
  description: string
}

export const users = [
  {
    name: 'admin',
    email: 'admin@slipway.test',
    groups: [],
    description: 'admin of the demo namespaces',
  },
  {
    name: 'maintainer',
    email: 'maintainer@slipway.test',
    groups: [],
    description: 'maintainer of the demo namespaces: no secrets, no access of others',
  },
  {
    name: 'contributor',
    email: 'contributor@slipway.test',
    groups: [],
    description: 'reads the demo namespaces',
  },
  {
    name: 'outsider',
    email: 'outsider@slipway.test',
    groups: [],
    description: 'has no namespace at all',
  },
] as const satisfies BuiltInUser[]

export type UserName = (typeof users)[number]['name']

/** E-mail address of a built-in user: the name that role bindings use. */
export const emailOf = (name: UserName): string => `${name}@slipway.test`

/** A cluster administrator, who cannot sign in to the console. */
export const systemIdentity = { name: 'system:admin', groups: ['system:masters'] }

/** The gateway's own account. The prefix keeps it out of reach of anybody who signs in. */
export const gatewayIdentity = { name: 'system:slipway:gateway', groups: [] as string[] }

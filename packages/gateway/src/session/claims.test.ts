import { expect, it, test } from 'vitest'
import { identityOf } from './claims'
import { signInSettings, type OidcConfig } from './settings'

const claims = {
  sub: 'u-1',
  email: 'ada@slipway.test',
  email_verified: true,
  preferred_username: 'ada',
  groups: ['team-a'],
}
function settings(config: Partial<OidcConfig> = {}) {
  const { oidc } = signInSettings({ oidc: { issuer: 'https://a.example', clientId: 'slipway', ...config } })
  if (!oidc) throw new Error('OpenID Connect was configured')
  return oidc
}
const read = (said: object, config?: Partial<OidcConfig>) => identityOf({ ...claims, ...said }, settings(config))

it('knows people by their e-mail address', () => {
  expect(read({}).identity).toEqual({
    user: 'ada@slipway.test',
    email: 'ada@slipway.test',
    preferredUsername: 'ada',
    groups: ['team-a'],
  })
})

it('takes other claims for names, and puts a prefix before them, so that they are nobody elses', () => {
  const config = { userClaim: 'sub', groupsClaim: 'roles', userPrefix: 'oidc:', groupPrefix: 'oidc:' }
  expect(read({ roles: ['masters', 'system:masters'], email_verified: false }, config).identity).toEqual({
    user: 'oidc:u-1',
    // Nobody vouches for it.
    email: '',
    preferredUsername: 'ada',
    groups: ['oidc:masters', 'oidc:system:masters'],
  })
})

test.each<[string, unknown, string[]]>([
  ['one name', 'team-a', ['team-a']],
  ['nothing', undefined, []],
  ['null', null, []],
  ['no list', { a: 1 }, []],
  ['a list of all sorts', ['a', 1, null, ['b'], 'c'], ['a', 'c']],
])('reads groups from %s', (_, groups, expected) => expect(read({ groups }).identity.groups).toEqual(expected))

it('drops groups that mean something else to Kubernetes, and says which', () => {
  const groups = ['a', 'system:masters', 'system:nodes', 'b,c', 'd\ne', ' f', '']
  expect(read({ groups }, { allowedSystemNames: ['system:nodes'] })).toMatchObject({
    identity: { groups: ['a', 'system:nodes'] },
    droppedGroups: ['system:masters', 'b,c', 'd\ne', ' f', ''],
  })
})

test.each<[string, object, Partial<OidcConfig>]>([
  ['no name', { email: undefined }, {}],
  ['an empty name', { email: '' }, {}],
  ['a name that is no text', { email: ['ada@slipway.test'] }, {}],
  ['an address that is not verified', { email_verified: false }, {}],
  ['an address verified by a word', { email_verified: 'true' }, {}],
  ['a name of Kubernetes', { sub: 'system:admin' }, { userClaim: 'sub' }],
  ['a name that a prefix makes one of Kubernetes', { sub: 'admin' }, { userClaim: 'sub', userPrefix: 'system:' }],
  ['two names', { sub: 'a,b' }, { userClaim: 'sub' }],
])('refuses %s', (_, said, config) => {
  expect(() => read(said, config)).toThrow(expect.objectContaining({ kind: 'unwelcome' }))
})

it('takes an address that is not verified, and a name of Kubernetes, where that was asked for', () => {
  expect(read({ email_verified: false }, { allowUnverifiedEmail: true }).identity.user).toBe('ada@slipway.test')
  const config = { userClaim: 'sub', allowedSystemNames: ['system:admin'] }
  expect(read({ sub: 'system:admin' }, config).identity.user).toBe('system:admin')
})

it('shows no control characters of what is only for people to read', () => {
  expect(read({ preferred_username: 'a\u0000d\na' }).identity.preferredUsername).toBe('ada')
})

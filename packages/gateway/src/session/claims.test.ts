import { expect, it, test } from 'vitest'
import { identityFromClaims } from './claims'
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
const read = (said: object, config?: Partial<OidcConfig>) =>
  identityFromClaims({ ...claims, ...said }, settings(config))

it('uses the email address as the user name', () => {
  expect(read({}).identity).toEqual({
    user: 'ada@slipway.test',
    email: 'ada@slipway.test',
    preferredUsername: 'ada',
    groups: ['team-a'],
  })
})

it('uses other claims for names and adds prefixes that keep them distinct', () => {
  const config = { userClaim: 'sub', groupsClaim: 'roles', userPrefix: 'oidc:', groupPrefix: 'oidc:' }
  expect(read({ roles: ['masters', 'system:masters'], email_verified: false }, config).identity).toEqual({
    user: 'oidc:u-1',
    // It is not verified.
    email: '',
    preferredUsername: 'ada',
    groups: ['oidc:masters', 'oidc:system:masters'],
  })
})

test.each<[string, unknown, string[]]>([
  ['one name', 'team-a', ['team-a']],
  ['a missing claim', undefined, []],
  ['null', null, []],
  ['an object', { a: 1 }, []],
  ['a list of mixed types', ['a', 1, null, ['b'], 'c'], ['a', 'c']],
])('reads groups from %s', (_, groups, expected) => expect(read({ groups }).identity.groups).toEqual(expected))

test.each<[string, object, string[]]>([
  ['a member of a claim', { realm_access: { roles: ['team-b'] } }, ['team-b']],
  ['a claim with this name', { 'realm_access.roles': 'team-b', realm_access: { roles: ['team-c'] } }, ['team-b']],
  ['a claim without the member', { realm_access: {} }, []],
  ['a claim that is text', { realm_access: 'roles' }, []],
  ['null', { realm_access: null }, []],
])('reads groups named with a dot from %s', (_, said, groups) => {
  expect(read(said, { groupsClaim: 'realm_access.roles' }).identity.groups).toEqual(groups)
})

it('reads no property that claims inherit', () => {
  expect(() => read({}, { userClaim: 'constructor.name' })).toThrow(/constructor.name is missing/)
})

it('drops system groups and ambiguous groups and returns which', () => {
  const groups = ['a', 'system:masters', 'system:nodes', 'b,c', 'd\ne', ' f', '']
  expect(read({ groups }, { allowedSystemNames: ['system:nodes'] })).toMatchObject({
    identity: { groups: ['a', 'system:nodes'] },
    droppedGroups: ['system:masters', 'b,c', 'd\ne', ' f', ''],
  })
})

test.each<[string, object, Partial<OidcConfig>]>([
  ['a missing name', { email: undefined }, {}],
  ['an empty name', { email: '' }, {}],
  ['a name that is not text', { email: ['ada@slipway.test'] }, {}],
  ['an address that is not verified', { email_verified: false }, {}],
  ['an address that is not verified, as text', { email_verified: 'false' }, {}],
  ['an address verified by another text', { email_verified: 'yes' }, {}],
  ['a system name', { sub: 'system:admin' }, { userClaim: 'sub' }],
  ['a name that becomes a system name with the prefix', { sub: 'admin' }, { userClaim: 'sub', userPrefix: 'system:' }],
  ['two names', { sub: 'a,b' }, { userClaim: 'sub' }],
])('rejects %s', (_, said, config) => {
  expect(() => read(said, config)).toThrow(expect.objectContaining({ kind: 'unwelcome' }))
})

it('accepts an unverified address and a system name if the configuration allows them', () => {
  expect(read({ email_verified: false }, { allowUnverifiedEmail: true }).identity.user).toBe('ada@slipway.test')
  const config = { userClaim: 'sub', allowedSystemNames: ['system:admin'] }
  expect(read({ sub: 'system:admin' }, config).identity.user).toBe('system:admin')
})

it('accepts an address that is verified, as text', () => {
  expect(read({ email_verified: 'true' }).identity).toMatchObject({ user: claims.email, email: claims.email })
})

test.each<[string, string[], string[]]>([
  ['a name', ['team-a'], ['oidc:team-a']],
  ['the beginning of a name', ['team-*', 'ops'], ['oidc:team-a', 'oidc:team-b', 'oidc:ops']],
  ['nothing that the user has', ['else'], []],
])('keeps only the groups that match %s, and does not report the others', (_, keptGroups, groups) => {
  const said = { groups: ['team-a', 'team-b', 'a-team-a', 'ops', 'ops-2'] }
  expect(read(said, { keptGroups, groupPrefix: 'oidc:' })).toMatchObject({ identity: { groups }, droppedGroups: [] })
})

test.each([[''], ['*'], ['a*b'], ['**']])('rejects %j as a group to keep', (pattern) => {
  expect(() => settings({ keptGroups: [pattern] })).toThrow(/keptGroups must be names/)
})

it('removes control characters from names that are only displayed', () => {
  expect(read({ preferred_username: 'a\u0000d\na' }).identity.preferredUsername).toBe('ada')
})

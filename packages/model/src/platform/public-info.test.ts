import { describe, expect, it, test } from 'vitest'
import { parsePublicInfo, PublicInfoError, publicInfoLocation } from './public-info'
import { aConfigMap } from '../testing'

const withText = (text: string | undefined) =>
  aConfigMap({ metadata: { ...publicInfoLocation }, data: text === undefined ? {} : { 'info.json': text } })
const parse = (info: unknown) => parsePublicInfo(withText(JSON.stringify(info)))

it('SESS-10 the public info is in a config map of the info namespace', () => {
  expect(publicInfoLocation).toEqual({ namespace: 'konflux-info', name: 'konflux-public-info' })
  expect(parse({ environment: 'staging' }).environment).toBe('staging')
})

it('the public info has the steps of a tour, if there is one', () => {
  const step = { title: 'Start', text: 'Here.', path: '/ns' }
  expect(parse({ tour: [step] }).tour).toEqual([step])
  expect(parse({}).tour).toEqual([])
})

describe('failures', () => {
  test.each<[string, string | undefined, string]>([
    ['SESS-11 no entry', undefined, 'info.json not found in konflux-public-info ConfigMap'],
    ['SESS-11 an empty entry', '', 'info.json not found in konflux-public-info ConfigMap'],
    ['SESS-12 a list', '[]', 'Failed to parse info.json: not a JSON object'],
    ['SESS-12 null', 'null', 'Failed to parse info.json: not a JSON object'],
  ])('%s', (_, text, message) => expect(() => parsePublicInfo(withText(text))).toThrow(new PublicInfoError(message)))

  it('SESS-11 no data at all', () =>
    expect(() => parsePublicInfo(aConfigMap({ metadata: { name: 'info' }, data: undefined }))).toThrow(
      'info.json not found in info ConfigMap',
    ))

  it('SESS-12 reports why the entry is not valid JSON', () => {
    const reason = reasonOf(() => JSON.parse('{"environment":'))
    expect(reasonOf(() => parsePublicInfo(withText('{"environment":')))).toBe(`Failed to parse info.json: ${reason}`)
  })
  const reasonOf = (act: () => unknown) => {
    try {
      act()
    } catch (error) {
      return error instanceof Error ? error.message : ''
    }
  }
})

test.each<[unknown, string]>([
  ['production', 'production'],
  ['staging', 'staging'],
  ['development', 'production'],
  [undefined, 'production'],
  ['moon', 'production'],
  [7, 'production'],
])('SESS-13 environment %j is %s', (environment, expected) => expect(parse({ environment }).environment).toBe(expected))

test.each<[unknown, string]>([
  ['public', 'public'],
  ['private', 'private'],
  [undefined, 'public'],
  [{}, 'public'],
])('SESS-14 visibility %j is %s', (visibility, expected) => expect(parse({ visibility }).visibility).toBe(expected))

test.each<[unknown, string | undefined]>([
  ['https://status.example.com', 'https://status.example.com'],
  [' HTTP://status.example.com ', 'HTTP://status.example.com'],
  [undefined, undefined],
  ['', undefined],
  ['status.example.com', undefined],
  ['javascript:alert(1)//https://', undefined],
  ['ftp://status.example.com', undefined],
  ['https:status.example.com', undefined],
  ['see https://status.example.com', undefined],
  [['https://status.example.com'], undefined],
])('SESS-15 status page %j is %j', (statusPageUrl, expected) =>
  expect(parse({ statusPageUrl }).statusPageUrl).toBe(expected),
)

it('SESS-16, SESS-18, SESS-19 parses the integrations', () =>
  expect(
    parse({
      integrations: {
        sbom_server: { url: 'https://sbom/<PLACEHOLDER>', sbom_sha: 'https://sbom/sha/<PLACEHOLDER>' },
        github: { application_url: 'https://github.com/apps/builder' },
        image_controller: {
          notifications: [
            { title: 'SBOM', event: 'repo_push', method: 'webhook', config: { url: 'https://hook', extra: 1 } },
          ],
        },
      },
    }),
  ).toMatchObject({
    sbomServer: { url: 'https://sbom/<PLACEHOLDER>', sbomSha: 'https://sbom/sha/<PLACEHOLDER>' },
    githubAppUrl: 'https://github.com/apps/builder',
    imageNotifications: [{ title: 'SBOM', event: 'repo_push', method: 'webhook', config: { url: 'https://hook' } }],
  }))

test.each<[string, unknown]>([
  ['no integrations', undefined],
  ['integrations of the wrong type', 'none'],
  ['sections of the wrong type', { sbom_server: [], github: null, image_controller: 3 }],
  [
    'fields of the wrong type',
    {
      sbom_server: { url: 1, sbom_sha: {} },
      github: { application_url: 'javascript:alert(1)' },
      image_controller: {
        notifications: [
          null,
          'x',
          { title: 'no event' },
          { title: 'a', event: 'image_deleted', method: 'webhook', config: {} },
          { title: 'a', event: 'repo_push', method: 'pigeon', config: {} },
        ],
      },
    },
  ],
])('ignores %s', (_, integrations) =>
  expect(parse({ integrations })).toEqual({
    environment: 'production',
    visibility: 'public',
    statusPageUrl: undefined,
    githubAppUrl: undefined,
    sbomServer: { url: undefined, sbomSha: undefined },
    imageNotifications: [],
    roles: [],
    tour: [],
  }),
)

describe('the roles', () => {
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'konflux-admin-user-actions' }

  it('UA-26, UA-27 have a reference, a name and a description', () =>
    expect(parse({ rbac: [{ displayName: 'admin', description: 'Everything', roleRef }] }).roles).toEqual([
      { displayName: 'Admin', description: 'Everything', roleRef },
    ]))

  test.each<[unknown]>([
    [undefined],
    [null],
    [{}],
    ['x'],
    [[7, null, {}, { roleRef: 'x' }, { roleRef: { name: '' } }]],
  ])('are empty for %j', (rbac) => expect(parse({ rbac }).roles).toEqual([]))

  it('are named by their reference if they have no name', () =>
    expect(parse({ rbac: [{ displayName: 7, roleRef: { kind: 'Role', name: 'own' } }] }).roles).toEqual([
      { displayName: 'Own', description: '', roleRef: { ...roleRef, kind: 'Role', name: 'own' } },
    ]))
})

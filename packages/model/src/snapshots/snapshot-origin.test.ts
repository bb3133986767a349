import { describe, expect, it, test } from 'vitest'
import { annotations, copiedPacKey, labels } from '../labels'
import { aSnapshot } from '../testing/tests-and-releases'
import type { Snapshot } from './snapshot'
import {
  isUnmerged,
  newComponentsOf,
  originOfSnapshot,
  pullRequestsIn,
  referenceOf,
  type SnapshotOrigin,
  triggerOf,
} from './snapshot-origin'

const sha = 'faef902212a6c7cd3c6a79fa778410972259ef03'
const event = copiedPacKey(labels.eventType)
type Marks = Record<string, string | undefined>
/** With exactly these labels and annotations. */
const marked = (known: Marks = {}, notes: Marks = {}, components?: Snapshot['spec']['components']): Snapshot => ({
  ...aSnapshot({ spec: { ...(components && { components }) } }),
  // Marks that are `undefined` are as good as absent.
  metadata: { name: 'shop-1', labels: known as Record<string, string>, annotations: notes as Record<string, string> },
})

test.each<[string, Marks, Marks, SnapshotOrigin]>([
  ['a push', { [event]: 'push' }, {}, 'Push'],
  ['a merged pull request', { [event]: 'push', [copiedPacKey(labels.pullRequestNumber)]: '7' }, {}, 'Push'],
  ['a commit without an event', {}, { [annotations.buildCommitSha]: sha }, 'Push'],
  ['a pull request', { [event]: 'pull_request' }, {}, 'Pull request'],
  ['a merge request of GitLab', { [event]: 'Merge_Request' }, {}, 'Pull request'],
  [
    'a comment on a pull request',
    { [event]: 'retest-all-comment', [copiedPacKey(labels.pullRequestNumber)]: '7' },
    {},
    'Pull request',
  ],
  ['the workflow of a pull request', {}, { [annotations.integrationWorkflow]: 'pull-request' }, 'Pull request'],
  ['a group', { [labels.snapshotType]: 'group', [event]: 'pull_request' }, {}, 'Group'],
  ['an override', { [labels.snapshotType]: 'override', [event]: 'push' }, {}, 'Override'],
  ['no marks', {}, {}, 'Manual'],
])('SNAP-28 the origin of a snapshot with %s', (_, known, notes, expected) => {
  expect(originOfSnapshot(marked(known, notes))).toBe(expected)
  expect(isUnmerged(marked(known, notes))).toBe(['Pull request', 'Group'].includes(expected))
})

describe('the reference of a snapshot', () => {
  const notes = {
    [copiedPacKey(annotations.pacShaTitle)]: 'Round prices\n\nWith a body.',
    [copiedPacKey(annotations.pacShaUrl)]: `https://github.com/payments/api/commit/${sha}`,
    [copiedPacKey(annotations.pacRepositoryUrl)]: 'https://github.com/payments/api',
    [copiedPacKey(annotations.pacGitProvider)]: 'github',
    [annotations.branch]: 'main',
  }
  const known = {
    [copiedPacKey(labels.commitSha)]: sha,
    [event]: 'pull_request',
    [copiedPacKey(labels.pullRequestNumber)]: '7',
    [copiedPacKey(labels.organization)]: 'payments',
    [copiedPacKey(labels.repositoryName)]: 'api',
  }

  it('SNAP-30 has the repository, the pull request, the event and the commit', () => {
    expect(referenceOf(marked(known, notes))).toMatchObject({
      organization: 'payments',
      repositoryName: 'api',
      repoUrl: 'https://github.com/payments/api',
      pullRequestNumber: 7,
      pullRequestUrl: 'https://github.com/payments/api/pull/7',
      eventType: 'pull_request',
      sha,
      shaUrl: `https://github.com/payments/api/commit/${sha}`,
      branch: 'main',
    })
    expect(triggerOf(marked(known, notes))).toBe('Round prices')
  })

  it('SNAP-30 derives the names of the repository from its URL', () => {
    const names = (repoUrl: string) => {
      const { organization, repositoryName } = referenceOf(
        marked({}, { [copiedPacKey(annotations.pacRepositoryUrl)]: repoUrl }),
      )
      return [organization, repositoryName]
    }
    expect(names('https://gitlab.com/group/part/api.git')).toEqual(['group/part', 'api'])
    expect(names('https://git.test/')).toEqual([undefined, undefined])
    expect(names('javascript:alert(1)')).toEqual([undefined, undefined])
  })

  it('names a commit without a title by its SHA, and is unknown without one', () => {
    expect(triggerOf(marked({ [copiedPacKey(labels.commitSha)]: sha }))).toBe('commit faef902')
    expect(triggerOf(marked())).toBeUndefined()
    expect(referenceOf(marked())).toMatchObject({ sha: undefined, shaUrl: undefined, eventType: undefined })
  })
})

describe('the pull requests of a snapshot', () => {
  const components = ['api', 'web', 'cart'].map((name) => ({ name, containerImage: `registry.test/${name}` }))
  const group = (members: unknown, notes: Marks = {}) =>
    marked(
      { [labels.snapshotType]: 'group', [event]: 'pull_request', [copiedPacKey(labels.pullRequestNumber)]: '9' },
      { [annotations.groupMembers]: typeof members === 'string' ? members : JSON.stringify(members), ...notes },
      components,
    )
  const member = (component: string, repository: string, pullRequestNumber: unknown) => ({
    component,
    repoUrl: `https://github.com/payments/${repository}`,
    pullRequestNumber,
  })

  it('are all those of a group, each with its components', () => {
    const snapshot = group([member('api', 'api', '7'), member('web', 'site', '12'), member('cart', 'site', 12)])
    expect(pullRequestsIn(snapshot)).toEqual([
      {
        number: 7,
        url: 'https://github.com/payments/api/pull/7',
        repoUrl: 'https://github.com/payments/api',
        components: ['api'],
      },
      {
        number: 12,
        url: 'https://github.com/payments/site/pull/12',
        repoUrl: 'https://github.com/payments/site',
        components: ['web', 'cart'],
      },
    ])
    expect(newComponentsOf(snapshot)).toEqual(['api', 'web', 'cart'])
  })

  it('of a group are on the git service of its own event if they have its host', () => {
    const members = [
      { component: 'api', repoUrl: 'https://git.test/payments/api', pullRequestNumber: '7' },
      { component: 'web', repoUrl: 'https://elsewhere.test/payments/web', pullRequestNumber: '8' },
    ]
    const snapshot = group(members, {
      [copiedPacKey(annotations.pacRepositoryUrl)]: 'https://git.test/payments/api',
      [copiedPacKey(annotations.pacGitProvider)]: 'gitlab',
    })
    expect(pullRequestsIn(snapshot).map(({ url }) => url)).toEqual([
      'https://git.test/payments/api/-/merge_requests/7',
      undefined,
    ])
  })

  test.each<[string, unknown]>([
    ['text that is not JSON', '{'],
    ['an object', {}],
    ['null members', [null, 7, 'x', []]],
    ['members without a number', [{ component: 'api' }, member('api', 'api', 'seven'), member('api', 'api', {})]],
  ])('of a group with %s are that of its own event', (_, members) => {
    expect(pullRequestsIn(group(members))).toMatchObject([{ number: 9 }])
  })

  it('are one for a snapshot of a pull request, and none for a push', () => {
    const known = { [copiedPacKey(labels.pullRequestNumber)]: '7', [labels.component]: 'api' }
    expect(pullRequestsIn(marked({ ...known, [event]: 'pull_request' }, {}, components))).toEqual([
      { number: 7, url: undefined, repoUrl: undefined, components: ['api'] },
    ])
    expect(pullRequestsIn(marked({ ...known, [event]: 'push' }))).toEqual([])
    expect(pullRequestsIn(marked({ [event]: 'pull_request' }))).toEqual([])
  })
})

test.each<[string, Marks, string[]]>([
  ['the component that was built', { [labels.component]: 'checkout-api' }, ['checkout-api']],
  ['a component that it does not have', { [labels.component]: 'gone' }, []],
  ['no marks', {}, []],
])('SNAP-28 the new components of a snapshot with %s', (_, known, expected) =>
  expect(newComponentsOf(marked(known))).toEqual(expected),
)

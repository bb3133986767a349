import { describe, expect, it } from 'vitest'
import { annotations, copiedPacKey, labels } from '../labels'
import { aPipelineRun } from '../testing'
import { aSnapshot } from '../testing/tests-and-releases'
import type { Repository } from '../git/git-host'
import { addMissing, bugKey, commitMessagesOf, fixesIn } from './named-fixes'

const github: Repository = { repoUrl: 'https://github.com/shop/web', gitProvider: 'github' }
const unknown: Repository = { repoUrl: undefined, gitProvider: undefined }
const fixes = (message: string, repository = github, components: string[] = ['web']) =>
  fixesIn([{ message, repository, components }])
const sources = (message: string, repository = github) =>
  fixes(message, repository).bugs.map(({ id, source }) => `${id} ${source}`)

describe('the bugs that a commit message names', () => {
  it.each<[string, string[]]>([
    ['Add a button', []],
    // The number of the pull request that was merged.
    ['Add a button (#12)', []],
    ['See #12', []],
    ['Fixes #12', ['12 https://github.com/shop/web/issues/12']],
    ['fix: a typo\n\nCloses: #3', ['3 https://github.com/shop/web/issues/3']],
    ['Resolves #1, #2 and #3', [1, 2, 3].map((id) => `${id} https://github.com/shop/web/issues/${id}`)],
    ['prefixes #12', []],
    ['See https://github.com/a/b/issues/7.', ['7 https://github.com/a/b/issues/7']],
    ['(https://gitlab.com/a/b/-/issues/7#note_1)', ['7 https://gitlab.com/a/b/-/issues/7']],
    ['https://issues.example.com/browse/SHOP-4217', ['SHOP-4217 https://issues.example.com/browse/SHOP-4217']],
    ['https://bugzilla.example.com/show_bug.cgi?id=99', ['99 https://bugzilla.example.com/show_bug.cgi?id=99']],
    ['https://github.com/a/b/pull/7', []],
    ['SHOP-4217 is a key without a tracker', []],
    ['Fixes #7, see https://github.com/shop/web/issues/7', ['7 https://github.com/shop/web/issues/7']],
  ])('%j', (message, expected) => {
    expect(sources(message)).toEqual(expected)
  })

  it('are at the tracker of the repository, if that is known', () => {
    expect(sources('Fixes #12', { repoUrl: 'https://gitlab.com/a/b', gitProvider: 'gitlab' })).toEqual([
      '12 https://gitlab.com/a/b/-/issues/12',
    ])
    expect(sources('Fixes #12', unknown)).toEqual([])
  })

  it('have the first line of the message as their summary', () => {
    expect(fixes('Stop the leak\n\nFixes #12').bugs).toEqual([
      {
        id: '12',
        source: 'https://github.com/shop/web/issues/12',
        uploadDate: '',
        status: 'Resolved',
        summary: 'Stop the leak',
      },
    ])
  })
})

describe('the CVEs that a commit message names', () => {
  it.each<[string, string[]]>([
    ['Update openssl for cve-2026-1234', ['CVE-2026-1234']],
    ['CVE-2026-1234, CVE-2025-99999 and CVE-2026-1234', ['CVE-2026-1234', 'CVE-2025-99999']],
    ['CVE-2026-12 and CVE-20261234', []],
    ['XCVE-2026-1234', []],
  ])('%j', (message, expected) => {
    expect(fixes(message).cves.map(({ key }) => key)).toEqual(expected)
  })

  it('belong to each component that was built from the commit, or to none that is known', () => {
    expect(fixes('CVE-2026-1234', github, ['web', 'api']).cves).toEqual([
      { key: 'CVE-2026-1234', component: 'web', packages: [] },
      { key: 'CVE-2026-1234', component: 'api', packages: [] },
    ])
    expect(fixes('CVE-2026-1234', github, []).cves).toEqual([{ key: 'CVE-2026-1234', component: '', packages: [] }])
  })
})

describe('the commits of a snapshot', () => {
  const image = `registry.slipway.test/api@sha256:${'a'.repeat(64)}`
  const snapshot = aSnapshot({
    metadata: {
      annotations: {
        [copiedPacKey(annotations.pacShaTitle)]: 'Own change',
        [copiedPacKey(annotations.pacRepositoryUrl)]: 'https://github.com/shop/web',
      },
    },
    spec: { components: [{ name: 'checkout-api', containerImage: image }] },
  })
  const build = (name: string, notes: Record<string, string>, digest = 'a') =>
    aPipelineRun({
      metadata: { name, annotations: notes, labels: { [labels.component]: 'checkout-api' } },
      status: { results: [{ name: 'IMAGE_DIGEST', value: `sha256:${digest.repeat(64)}` }] },
    })

  it('are its own and those of the builds of its images', () => {
    expect(
      commitMessagesOf(snapshot, [
        build('one', { [annotations.pacShaTitle]: 'Built change' }),
        build('other', { [annotations.pacShaTitle]: 'Not in it' }, 'b'),
      ]),
    ).toEqual([
      { message: 'Own change', repository: github, components: ['checkout-api'] },
      { message: 'Built change', repository: unknown, components: ['checkout-api'] },
    ])
  })

  it('are ignored without a message', () => {
    const bare = aSnapshot({ spec: { components: [{ name: 'checkout-api', containerImage: image }] } })
    expect(commitMessagesOf(bare, [build('one', {})])).toEqual([])
    expect(commitMessagesOf({ ...bare, spec: undefined } as never, [])).toEqual([])
  })
})

it('bugs that a list has are not added again', () => {
  const bug = { id: '1', source: 'a', uploadDate: '', status: 'Unresolved' as const, summary: 'own' }
  const other = { ...bug, source: 'b' }
  expect(addMissing([bug], [{ ...bug, summary: 'named' }, other], bugKey)).toEqual([bug, other])
})

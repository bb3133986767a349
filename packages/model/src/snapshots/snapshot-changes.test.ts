import { nameOf } from '@slipway/kube/object'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { annotations, copiedPacKey } from '../labels'
import { aSnapshot } from '../testing/tests-and-releases'
import { componentsIn, imageIdOf, type Snapshot, type SnapshotComponent } from './snapshot'
import { changesBetween, type ComponentChange, summaryOf } from './snapshot-changes'
import { changesAsMarkdown } from './snapshot-changes-markdown'
import { snapshotVulnerabilities } from './snapshot-vulnerabilities'

const sha = (digit: string) => digit.repeat(40)
const image = (digit: string, registry = 'registry.test/api') => `${registry}@sha256:${digit.repeat(64)}`
const component = (
  name: string,
  containerImage: string,
  revision?: string,
  url = 'https://github.com/shop/api',
): SnapshotComponent => ({ name, containerImage, ...(revision && { source: { git: { url, revision } } }) })
const snapshotOf = (name: string, components: SnapshotComponent[], more: Partial<Snapshot['metadata']> = {}) =>
  aSnapshot({ metadata: { name, ...more }, spec: { components } })

describe('changesBetween', () => {
  test.each<[string, SnapshotComponent | undefined, SnapshotComponent | undefined, Partial<ComponentChange>]>([
    ['the same', component('api', image('a'), sha('1')), component('api', image('a'), sha('1')), { kind: 'Unchanged' }],
    [
      'a copy of the image in another registry',
      component('api', image('a')),
      component('api', image('a', 'mirror.test/api')),
      { kind: 'Unchanged', hasNewImage: false },
    ],
    [
      'a new image of a new commit',
      component('api', image('a'), sha('1')),
      component('api', image('b'), sha('2')),
      {
        kind: 'Changed',
        hasNewImage: true,
        commits: {
          from: sha('1'),
          to: sha('2'),
          isOtherRepository: false,
          url: `https://github.com/shop/api/compare/${sha('1')}...${sha('2')}`,
        },
      },
    ],
    [
      'a new image of the same commit',
      component('api', image('a'), sha('1')),
      component('api', image('b'), sha('1')),
      { kind: 'Changed', hasNewImage: true, commits: undefined },
    ],
    [
      'a new commit that results in the same image',
      component('api', image('a'), sha('1')),
      component('api', image('a'), sha('2')),
      { kind: 'Changed', hasNewImage: false },
    ],
    [
      'a branch, of which it is not known what was built',
      component('api', image('a'), 'main'),
      component('api', image('b'), sha('2')),
      { kind: 'Changed', commits: { from: 'main', to: sha('2'), isOtherRepository: false, url: undefined } },
    ],
    [
      'another repository, with which there is nothing to compare',
      component('api', image('a'), sha('1')),
      component('api', image('b'), sha('2'), 'https://github.com/shop/new'),
      { kind: 'Changed', commits: { from: sha('1'), to: sha('2'), isOtherRepository: true, url: undefined } },
    ],
    [
      'a source that is recorded only once, which may be the same',
      component('api', image('a')),
      component('api', image('b'), sha('2')),
      { kind: 'Changed', commits: { from: undefined, to: sha('2'), isOtherRepository: false, url: undefined } },
    ],
    [
      'a new component without an image',
      undefined,
      { name: 'api' } as SnapshotComponent,
      { kind: 'Added', hasNewImage: true },
    ],
    [
      'a host whose service is not known',
      component('api', image('a'), sha('1'), 'https://code.test/shop/api'),
      component('api', image('b'), sha('2'), 'https://code.test/shop/api'),
      { commits: { from: sha('1'), to: sha('2'), isOtherRepository: false, url: undefined } },
    ],
    ['a new component', undefined, component('api', image('a'), sha('1')), { kind: 'Added', from: undefined }],
    ['a deleted component', component('api', image('a'), sha('1')), undefined, { kind: 'Removed', to: undefined }],
    ['no sources', component('api', image('a')), component('api', image('b')), { kind: 'Changed', commits: undefined }],
  ])('of %s', (_, from, to, expected) => {
    const changes = changesBetween(snapshotOf('a', from ? [from] : []), snapshotOf('b', to ? [to] : []))
    expect(changes).toEqual([expect.objectContaining({ name: 'api', from, to, ...expected })])
  })

  test.each([
    ['https://gitlab.com/shop/api.git', `https://gitlab.com/shop/api/-/compare/${sha('1')}...${sha('2')}`],
    ['https://bitbucket.org/shop/api', `https://bitbucket.org/shop/api/branches/compare/${sha('2')}..${sha('1')}`],
    ['https://codeberg.org/shop/api', `https://codeberg.org/shop/api/compare/${sha('1')}...${sha('2')}`],
    ['git@github.com:shop/api.git', `https://github.com/shop/api/compare/${sha('1')}...${sha('2')}`],
    ['javascript:alert(1)', undefined],
  ])('compares commits of %s at its host', (url, expected) => {
    const [change] = changesBetween(
      snapshotOf('a', [component('api', image('a'), sha('1'), url)]),
      snapshotOf('b', [component('api', image('b'), sha('2'), url)]),
    )
    expect(change?.commits?.url).toBe(expected)
  })

  it('takes the service of a host from the snapshot of a commit there', () => {
    const url = 'https://code.test/shop/api'
    const of = (name: string, digit: string, revision: string) =>
      snapshotOf(name, [component('api', image(digit), revision, url)], {
        annotations: {
          [copiedPacKey(annotations.pacRepositoryUrl)]: 'https://code.test/shop/web',
          [copiedPacKey(annotations.pacGitProvider)]: 'gitlab',
        },
      })
    const [change] = changesBetween(of('a', 'a', sha('1')), of('b', 'b', sha('2')))
    expect(change?.commits?.url).toBe(`${url}/-/compare/${sha('1')}...${sha('2')}`)
  })

  it('tells the versions of a component apart', () => {
    const of = (version: string, digit: string) => ({ ...component('api', image(digit)), version })
    const changes = changesBetween(
      snapshotOf('a', [of('v1', 'a'), of('v2', 'a')]),
      snapshotOf('b', [of('v1', 'a'), of('v2', 'b')]),
    )
    expect(changes.map(({ name, kind }) => [name, kind])).toEqual([
      ['api v1', 'Unchanged'],
      ['api v2', 'Changed'],
    ])
  })

  it('survives content that only an archive accepts', () => {
    const odd = (components: unknown) => ({ ...snapshotOf('a', []), spec: { components } }) as Snapshot
    const changes = changesBetween(
      odd([{ name: 'api', containerImage: 7, source: 'none' }, 'text', {}]),
      odd([{ name: 'api' }, { name: 'api', containerImage: image('a') }]),
    )
    expect(changes.map(({ name, kind }) => [name, kind])).toEqual([['api', 'Unchanged']])
    expect(changesBetween(odd('text'), odd(null))).toEqual([])
  })
})

/** What a component is, for a comparison. */
const essence = ({ source, ...rest }: SnapshotComponent) => [
  rest.name,
  rest.version,
  imageIdOf({ ...rest }),
  source?.git?.url,
  source?.git?.revision,
]

const snapshots = fc
  .uniqueArray(
    fc.record(
      {
        name: fc.constantFrom('api', 'web', 'worker', 'docs', 'cart'),
        version: fc.constantFrom('v1', 'v2'),
        containerImage: fc.constantFrom(
          image('a'),
          image('a', 'mirror.test/api'),
          image('b'),
          'registry.test/api:latest',
        ),
        source: fc.record({
          git: fc.record({
            url: fc.constantFrom('https://github.com/shop/api', 'https://gitlab.com/shop/web'),
            revision: fc.constantFrom(sha('1'), sha('2'), 'main'),
          }),
        }),
      },
      { requiredKeys: ['name', 'containerImage'] },
    ),
    { selector: ({ name, version }) => `${name} ${version}` },
  )
  .map((components) => snapshotOf('any', components))

function apply(changes: readonly ComponentChange[], before: Snapshot): unknown[][] {
  const gone = new Set(changes.filter(({ kind }) => kind !== 'Unchanged').map(({ from }) => from))
  const kept = componentsIn(before).filter((each) => !gone.has(each))
  const come = changes.flatMap(({ kind, to }) => (kind === 'Unchanged' ? [] : (to ?? [])))
  return [...kept, ...come].map(essence).sort()
}

describe('any two snapshots', () => {
  it('differ by what makes the one out of the other', () => {
    fc.assert(
      fc.property(snapshots, snapshots, (a, b) => {
        expect(apply(changesBetween(a, b), a)).toEqual(componentsIn(b).map(essence).sort())
      }),
    )
  })

  it('differ by the opposite in the other direction', () => {
    const opposite = { Added: 'Removed', Removed: 'Added', Changed: 'Changed', Unchanged: 'Unchanged' } as const
    fc.assert(
      fc.property(snapshots, snapshots, (a, b) => {
        const back = changesBetween(b, a).map(({ name, kind, from, to, hasNewImage, commits }) => ({
          name,
          kind: opposite[kind],
          from: to,
          to: from,
          hasNewImage,
          commits: commits && { ...commits, from: commits.to, to: commits.from, url: Boolean(commits.url) },
        }))
        const there = changesBetween(a, b).map(({ commits, ...change }) => ({
          ...change,
          commits: commits && { ...commits, url: Boolean(commits.url) },
        }))
        expect(there).toEqual(back)
      }),
    )
  })

  it('do not differ from themselves', () => {
    fc.assert(fc.property(snapshots, (a) => changesBetween(a, a).every(({ kind }) => kind === 'Unchanged')))
  })
})

test.each([
  [[], 'No components'],
  [['Unchanged'], '1 unchanged'],
  [['Added', 'Changed', 'Unchanged', 'Changed', 'Removed'], '2 changed, 1 added, 1 removed, 1 unchanged'],
] as const)('the summary of %j', (kinds, expected) =>
  expect(summaryOf(kinds.map((kind) => ({ kind }) as ComponentChange))).toBe(expected),
)

describe('as Markdown', () => {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, unknown: 0 }
  const markdown = (from: Snapshot, to: Snapshot, scans: Record<string, typeof counts> = {}) => {
    const compared = (snapshot: Snapshot) => ({
      name: nameOf(snapshot),
      vulnerabilities: snapshotVulnerabilities(snapshot, (each) => scans[imageIdOf(each) ?? '']),
    })
    return changesAsMarkdown(compared(from), compared(to), changesBetween(from, to)).split('\n')
  }

  it('has a line for each component that changed, and says what is not known', () => {
    const from = snapshotOf('shop-1', [
      component('api', image('a'), sha('1')),
      component('old', image('c'), sha('3')),
      component('same', image('d'), sha('4')),
    ])
    const to = snapshotOf('shop-2', [
      component('api', image('b'), sha('2')),
      component('new', image('e'), 'main'),
      component('same', image('d'), sha('4')),
    ])
    const scans = {
      [`sha256:${'a'.repeat(64)}`]: { ...counts, critical: 1, low: 2 },
      [`sha256:${'b'.repeat(64)}`]: counts,
    }
    const url = `https://github.com/shop/api/compare/${sha('1')}...${sha('2')}`
    expect(markdown(from, to, scans)).toEqual([
      '**Changes from `shop-1` to `shop-2`**: 1 changed, 1 added, 1 removed, 1 unchanged',
      '',
      'Vulnerabilities: Critical 1, Low 2 (1 of 3 images scanned) → none (1 of 3 images scanned)',
      '',
      '| Component | Change | Commits | Image | Vulnerabilities |',
      '| --- | --- | --- | --- | --- |',
      `| \`api\` | Changed | [\`1111111\` → \`2222222\`](${url}) | \`aaaaaaaaaaaa\` → \`bbbbbbbbbbbb\` | Critical 1, Low 2 → none |`,
      '| `new` | Added | `main` | `eeeeeeeeeeee` | unknown |',
      '| `old` | Removed | `3333333` | `cccccccccccc` | unknown |',
    ])
  })

  it('has no table if nothing changed', () => {
    const of = (name: string) => snapshotOf(name, [component('api', 'registry.test/api:latest')])
    expect(markdown(of('a'), of('b')).at(-1)).toBe(
      'Vulnerabilities: unknown (0 of 1 image scanned) → unknown (0 of 1 image scanned)',
    )
  })

  it('says what is not known of an image and its source', () => {
    const [from, to] = [component('api', image('a')), component('api', image('b'), sha('2'))]
    const nothing = { name: 'web' } as SnapshotComponent
    const lines = markdown(
      snapshotOf('a', [from, nothing]),
      snapshotOf('b', [to, { ...nothing, source: { git: { url: 'https://github.com/shop/web', revision: 'main' } } }]),
    )
    expect(lines.slice(-2)).toEqual([
      '| `api` | Changed | unknown → `2222222` | `aaaaaaaaaaaa` → `bbbbbbbbbbbb` | unknown → unknown |',
      '| `web` | Changed | unknown → `main` | unknown | unknown → unknown |',
    ])
  })

  it('keeps untrusted text in its cell', () => {
    const odd = 'a`b|c\n# d'
    const lines = markdown(snapshotOf('a', []), snapshotOf('b', [component(odd, odd, odd)]))
    expect(lines.at(-1)).toBe('| `a b c # d` | Added | `a b c # d` | `a b c # d` | unknown |')
  })

  it('keeps untrusted URLs in their cell and their link', () => {
    const of = (name: string, digit: string) =>
      snapshotOf(name, [component('api', image(digit), sha(digit), 'https://github.com/a(b|/c) [d](e')])
    const [, link] = /\]\(([^)]*)\)/.exec(markdown(of('a', 'a'), of('b', 'b')).at(-1) ?? '') ?? []
    expect(link).toBe(`https://github.com/a%28b%7C/c%29%20[d]%28e/compare/${sha('a')}...${sha('b')}`)
  })
})

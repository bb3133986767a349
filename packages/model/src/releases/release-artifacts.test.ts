import { describe, expect, it, test } from 'vitest'
import { aRelease } from '../testing'
import { releaseArtifacts } from './release-artifacts'

const read = (artifacts: unknown) => releaseArtifacts(aRelease({ status: { artifacts } }))

describe('artifacts of a release', () => {
  it('REL-46 are its images, its index image and its GitHub release', () => {
    const found = read({
      images: [
        {
          name: 'api',
          arches: ['amd64', 'arm64'],
          oses: ['linux'],
          shasum: 'sha256:aa',
          urls: ['quay.io/shop/api:1', 'quay.io/shop/api:latest'],
        },
      ],
      index_image: {
        index_image: 'quay.io/i:1',
        index_image_resolved: 'quay.io/i@sha256:bb',
        target_index: 'quay.io/t',
      },
      'github-release': { url: 'https://github.com/shop/api/releases/1' },
    })
    expect(found).toEqual({
      images: [
        {
          name: 'api',
          urls: ['quay.io/shop/api:1', 'quay.io/shop/api:latest'],
          arches: ['amd64', 'arm64'],
          others: [
            { term: 'oses', values: ['linux'] },
            { term: 'shasum', values: ['sha256:aa'] },
          ],
        },
      ],
      urls: [
        { label: 'Index image', text: 'quay.io/i:1' },
        { label: 'Index image (resolved)', text: 'quay.io/i@sha256:bb' },
        { label: 'Target index', text: 'quay.io/t' },
        { label: 'GitHub release', text: 'https://github.com/shop/api/releases/1' },
      ],
      additional: [],
      unrecognized: [],
    })
  })

  it('REL-40, REL-41 are term lists otherwise, whatever their shape', () => {
    const { additional } = read({
      images: [],
      index_image: {},
      'github-release': {},
      advisory: { url: 'https://a.example.com/1', internal_url: '' },
      catalog_urls: [
        { name: 'api', url: 'https://c.example.com/api' },
        { name: 'web', url: 'https://c.example.com/web' },
      ],
      merge_requests: [{ url: 'https://git.example.com/mr/1' }],
      sboms: { product: ['https://s.example.com/p'], nested: { deep: [{ a: 1 }] } },
      flags: ['a', 2, null],
      count: 0,
      nothing: null,
      none: [],
    })
    expect(
      additional.map(({ name, terms }) => [name, ...terms.map(({ term, values }) => `${term}=${values.join('|')}`)]),
    ).toEqual([
      ['advisory', 'url=https://a.example.com/1', 'internal_url='],
      ['catalog_urls 1', 'name=api', 'url=https://c.example.com/api'],
      ['catalog_urls 2', 'name=web', 'url=https://c.example.com/web'],
      ['merge_requests', 'url=https://git.example.com/mr/1'],
      ['sboms', 'product=https://s.example.com/p', 'nested.deep=[{"a":1}]'],
      ['flags', '=a|2|null'],
      ['count', '=0'],
      ['nothing', '=null'],
      ['none', '=[]'],
    ])
  })

  test.each<[string, unknown, ReturnType<typeof read>['images']]>([
    [
      'an entry that is a reference',
      ['quay.io/a:1'],
      [{ name: undefined, urls: ['quay.io/a:1'], arches: [], others: [] }],
    ],
    [
      'texts in place of lists',
      [{ name: 'api', urls: 'quay.io/a:1', arches: 'amd64' }],
      [{ name: 'api', urls: ['quay.io/a:1'], arches: ['amd64'], others: [] }],
    ],
    [
      'fields of another type',
      [{ name: 7, urls: { a: 'quay.io/a' }, arches: [1], own: true }],
      [
        {
          name: undefined,
          urls: [],
          arches: [],
          others: [
            { term: 'name', values: ['7'] },
            { term: 'urls.a', values: ['quay.io/a'] },
            { term: 'arches', values: ['1'] },
            { term: 'own', values: ['true'] },
          ],
        },
      ],
    ],
    ['an empty entry', [{}], [{ name: undefined, urls: [], arches: [], others: [] }]],
    ['null', [null], [{ name: undefined, urls: [], arches: [], others: [{ term: '', values: ['null'] }] }]],
  ])('read images with %s', (_, images, expected) => expect(read({ images }).images).toEqual(expected))

  test.each<[string, unknown, string[]]>([
    ['a text', 'done', ['artifacts: =done']],
    ['a list', [{ a: 1 }, { b: [2] }], ['artifacts 1: a=1', 'artifacts 2: b=2']],
    ['images that are no list', { images: { api: 'quay.io/a' } }, ['images: api=quay.io/a']],
    [
      'an index image with unknown fields',
      { index_image: { index_image: 'i', ocp: '4.18' } },
      ['index_image: ocp=4.18'],
    ],
    ['an index image that is a list', { index_image: ['a'] }, ['index_image: =a']],
    ['a GitHub release without a URL', { 'github-release': { url: 7 } }, ['github-release: url=7']],
  ])('keep %s as it is', (_, artifacts, expected) =>
    expect(
      read(artifacts).unrecognized.map(
        ({ name, terms }) => `${name}: ${terms.map(({ term, values }) => `${term}=${values.join('|')}`).join(', ')}`,
      ),
    ).toEqual(expected),
  )

  it('may be a text in place of an object', () => {
    expect(read({ index_image: 'quay.io/i:1', 'github-release': 'https://github.com/shop' }).urls).toEqual([
      { label: 'Index image', text: 'quay.io/i:1' },
      { label: 'GitHub release', text: 'https://github.com/shop' },
    ])
  })

  it.each([undefined, null, {}])('are empty for %s', (artifacts) =>
    expect(read(artifacts)).toEqual({ images: [], urls: [], additional: [], unrecognized: [] }),
  )
})

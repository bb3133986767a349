import { describe, expect, it } from 'vitest'
import { branchUrl, commitUrl, isSameRepository, parseRepositoryUrl, providerOf, pullUrl } from './git-url'

describe('the URL of a repository', () => {
  const github = {
    host: 'github.com',
    organization: 'payments',
    name: 'checkout-api',
    url: 'https://github.com/payments/checkout-api',
  }
  it.each([
    'https://github.com/payments/checkout-api',
    'https://github.com/payments/checkout-api.git',
    'https://github.com/payments/checkout-api/',
    'https://user:secret@github.com/payments/checkout-api',
    'ssh://git@github.com/payments/checkout-api.git',
    'git://github.com/payments/checkout-api.git',
    'git@github.com:payments/checkout-api.git',
    '  https://github.com/payments/checkout-api ',
  ])('is parsed from %s', (url) => expect(parseRepositoryUrl(url)).toEqual(github))

  it('may contain nested groups', () =>
    expect(parseRepositoryUrl('https://gitlab.com/a/b/c.git')).toEqual({
      host: 'gitlab.com',
      organization: 'a/b',
      name: 'c',
      url: 'https://gitlab.com/a/b/c',
    }))

  it.each([
    'http://127.0.0.1:9080/github.com/payments/checkout-api',
    'https://localhost:9080/git/github.com/payments/checkout-api',
  ])('on a loopback address has the simulated host in its path: %s', (url) =>
    expect(parseRepositoryUrl(url)).toEqual({ ...github, url }),
  )

  it.each(['', 'nonsense', 'https://github.com', 'https://github.com/payments', 'file:///etc'])(
    'is not valid: %j',
    (url) => expect(parseRepositoryUrl(url)).toBeUndefined(),
  )

  it('identifies the same repository in every notation', () => {
    expect(isSameRepository('git@github.com:A/b.git', 'https://github.com/a/b')).toBe(true)
    expect(isSameRepository('https://github.com/a/b', 'https://gitlab.com/a/b')).toBe(false)
    expect(isSameRepository('', '')).toBe(false)
  })
})

it.each([
  ['github.com', undefined, 'github'],
  ['gitlab.cee.example.com', undefined, 'gitlab'],
  ['bitbucket.org', undefined, 'bitbucket'],
  ['code.example.com', 'gitlab', 'gitlab'],
  ['code.example.com', undefined, undefined],
  ['github.com', 'unknown', 'github'],
])('the provider of %s, declared as %s, is %s', (host, declared, expected) =>
  expect(providerOf(host, declared)).toBe(expected),
)

it.each([
  ['github', ['commit/abc', 'pull/7', 'tree/main']],
  ['gitlab', ['-/commit/abc', '-/merge_requests/7', '-/tree/main']],
  ['bitbucket', ['commits/abc', 'pull-requests/7', 'src/main']],
] as const)('COM-14 links have the paths of %s', (provider, expected) => {
  const repository = { url: 'https://x.test/o/r', provider }
  expect([commitUrl(repository, 'abc'), pullUrl(repository, 7), branchUrl(repository, 'main')]).toEqual(
    expected.map((path) => `https://x.test/o/r/${path}`),
  )
})

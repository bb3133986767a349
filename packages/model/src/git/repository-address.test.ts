import { describe, expect, it } from 'vitest'
import { gitProviderIn } from './git-host'
import {
  gitUrlError,
  parseRepositoryAddress,
  parseRepositoryPage,
  repositoryNameOf,
  sourceKey,
} from './repository-address'

const protocol = 'Must include a protocol (https://)'
const domain = 'Must include a domain (github/gitlab)'
const names = 'User or repository name is missing'

describe('a git URL', () => {
  it.each([
    'https://github.com/payments/checkout',
    'https://github.com/payments/checkout.git',
    '  https://gitlab.example.com/group/sub-group/checkout  ',
    'https://bitbucket.org/payments/checkout/',
    'https://codeberg.org/payments/checkout',
    'https://forgejo.example.com/payments/checkout.git',
  ])('IMP-27, IMP-30 is accepted with space around it and from each provider: %j', (url) => {
    expect(gitUrlError(url)).toBeUndefined()
  })

  it.each([
    ['', 'Required'],
    ['   ', 'Required'],
    ['http://github.com/payments/checkout', protocol],
    ['git@github.com:payments/checkout.git', protocol],
    ['github.com/payments/checkout', protocol],
    // One error at a time, in this order.
    ['http://example.com', protocol],
    ['https://', domain],
    ['https://example.com/payments/checkout', domain],
    ['https://example.com', domain],
    ['https://github.com', names],
    ['https://github.com/', names],
    ['https://gitlab.example.com/payments', names],
    ['https://ann:token@github.com/payments/checkout', 'Must not contain credentials. Add them as a secret instead.'],
  ])('IMP-29, IMP-30, IMP-31 %j is refused', (url, error) => expect(gitUrlError(url)).toBe(error))

  it('IMP-28, LIM-02 has at most 2,000 characters', () => {
    const start = 'https://github.com/payments/'
    expect(gitUrlError(start.padEnd(2_000, 'x'))).toBeUndefined()
    expect(gitUrlError(start.padEnd(2_001, 'x'))).toBe('Must be at most 2000 characters long.')
  })
})

describe('the address of a repository', () => {
  const url = 'https://github.com/payments/checkout'
  it.each([
    ['FORM-22', 'ssh://git@github.com/payments/checkout.git'],
    ['FORM-22 with a port,', 'ssh://git@github.com:2222/payments/checkout.git'],
    ['FORM-23', 'git://github.com/payments/checkout.git'],
    ['FORM-24', 'http://github.com/payments/checkout'],
    ['FORM-24', 'https://github.com/payments/checkout/'],
    ['FORM-25', 'git@github.com:payments/checkout.git'],
    ['without a protocol,', ' github.com/payments/checkout '],
    ['in a command,', 'git clone https://github.com/payments/checkout.git'],
    ['with credentials,', 'https://ann:token@github.com/payments/checkout.git?a=b#readme'],
  ])('%s is read from %j', (_, text) => expect(parseRepositoryAddress(text)).toEqual({ url }))

  it.each([
    ['tree/main', { revision: 'main' }],
    ['tree/main/services/cart', { revision: 'main', context: 'services/cart' }],
    ['tree/feature%2Fcart/services', { revision: 'feature/cart', context: 'services' }],
    [
      'blob/v1.2/services/cart/Dockerfile',
      { revision: 'v1.2', context: 'services/cart', file: 'services/cart/Dockerfile' },
    ],
    ['blob/main/README.md', { revision: 'main', file: 'README.md' }],
    ['commit/c0ffee', { revision: 'c0ffee' }],
    ['commits/feature/cart', { revision: 'feature/cart' }],
    ['pull/7', { revision: 'refs/pull/7/head' }],
    ['pull/7/files#diff', { revision: 'refs/pull/7/head' }],
    ['issues/3', {}],
    ['tree/%E0%A4%A', { revision: '%E0%A4%A' }],
  ])('and what a page of GitHub shows: %s', (page, found) =>
    expect(parseRepositoryAddress(`${url}/${page}`)).toEqual({ url, ...found }),
  )

  const nested = 'https://gitlab.example.com:8443/group/sub/checkout'
  it.each([
    ['', {}],
    ['/-/tree/main/services/cart?ref_type=heads', { revision: 'main', context: 'services/cart' }],
    ['/-/blob/main/Dockerfile', { revision: 'main', file: 'Dockerfile' }],
    ['/-/commit/c0ffee', { revision: 'c0ffee' }],
    ['/-/merge_requests/7/diffs', { revision: 'refs/merge-requests/7/head' }],
    ['/-/issues', {}],
  ])('and what a page of GitLab shows, in nested groups: %s', (page, found) =>
    expect(parseRepositoryAddress(nested + page)).toEqual({ url: nested, ...found }),
  )

  const bucket = 'https://bitbucket.org/payments/checkout'
  it.each([
    ['/src/main/', { revision: 'main' }],
    ['/src/main/services/cart', { revision: 'main', context: 'services/cart' }],
    ['/branch/feature/cart', { revision: 'feature/cart' }],
    ['/commits/c0ffee', { revision: 'c0ffee' }],
    ['/pull-requests/7', {}],
  ])('and what a page of Bitbucket shows: %s', (page, found) =>
    expect(parseRepositoryAddress(bucket + page)).toEqual({ url: bucket, ...found }),
  )

  const berg = 'https://codeberg.org/payments/checkout'
  it.each([
    ['/src/branch/main', { revision: 'main' }],
    ['/src/branch/main/services/cart', { revision: 'main', context: 'services/cart' }],
    ['/src/branch/feature%2Fcart/services', { revision: 'feature/cart', context: 'services' }],
    ['/src/tag/v1.2/services', { revision: 'v1.2', context: 'services' }],
    ['/src/commit/c0ffee', { revision: 'c0ffee' }],
    ['/commit/c0ffee', { revision: 'c0ffee' }],
    ['/commits/branch/feature/cart', { revision: 'feature/cart' }],
    ['/pulls/7/files', { revision: 'refs/pull/7/head' }],
    ['/src', {}],
    ['/issues/3', {}],
  ])('and what a page of Forgejo shows: %s', (page, found) =>
    expect(parseRepositoryAddress(berg + page)).toEqual({ url: berg, ...found }),
  )

  it.each([
    '',
    'checkout',
    'payments/checkout',
    'https://github.com/payments',
    'https://',
    'ftp://github.com/a/b',
    'a b',
  ])('is not found in %j', (text) => expect(parseRepositoryAddress(text)).toBeUndefined())

  it('names the repository', () => {
    expect(repositoryNameOf('https://gitlab.com/group/sub/checkout.git')).toBe('checkout')
    expect(repositoryNameOf('https://github.com')).toBe('')
  })
})

it('IMP-39, IMP-40 the provider of a host is the one that its name contains', () => {
  const hosts = [
    'github.com',
    'GitLab.example.com',
    'bitbucket.org',
    'codeberg.org',
    'gitea.example.com',
    'example.com',
  ]
  expect(hosts.map(gitProviderIn)).toEqual(['github', 'gitlab', 'bitbucket', 'forgejo', 'forgejo', undefined])
})

describe('two sources', () => {
  const source = { url: 'https://github.com/payments/checkout', context: 'services/cart' }
  it.each([
    { url: 'https://GitHub.com/Payments/Checkout.git', context: './services/cart/' },
    { url: 'git@github.com:payments/checkout.git', context: '/services/cart' },
  ])('are the same folder of the same repository: $url $context', (other) =>
    expect(sourceKey(other)).toBe(sourceKey(source)),
  )

  it.each([
    { url: 'https://github.com/payments/checkout' },
    { url: 'https://github.com/payments/checkout', context: 'services' },
    { url: 'https://github.com/payments/ledger', context: 'services/cart' },
  ])('are different: $url $context', (other) => expect(sourceKey(other)).not.toBe(sourceKey(source)))

  it('an address that is not valid has no key', () => expect(sourceKey({ url: 'checkout' })).toBeUndefined())
})

describe('the page of a repository', () => {
  const url = 'https://github.com/payments/checkout'
  it.each([
    [`${url}/tree/main/api`, { url, revision: 'main', context: 'api' }],
    [` ${url}/pull/7 `, { url, revision: 'refs/pull/7/head' }],
    [`${url}/issues/7`, { url }],
    [`${url}?tab=readme`, { url }],
    [`${url}.git#readme`, { url }],
    ['https://gitlab.com/a/b/c/-/issues', { url: 'https://gitlab.com/a/b/c' }],
  ])('is distinguished from the repository: %s', (text, expected) =>
    expect(parseRepositoryPage(text)).toEqual(expected),
  )

  it.each([
    url,
    `${url}/`,
    `${url}.git`,
    'https://gitlab.com/a/b/c',
    'git@github.com:payments/checkout.git',
    'https://user:secret@github.com/payments/checkout/tree/main',
    'https://github.com',
    'github',
    '',
  ])('is not %j', (text) => expect(parseRepositoryPage(text)).toBeUndefined())
})

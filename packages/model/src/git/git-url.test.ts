import { expect, it } from 'vitest'
import { parseGitUrl } from './git-url'

it.each([
  ['FORM-22 an ssh URL', 'ssh://git@gitlab.example.com:2222/shop/cart.git', 'gitlab.example.com', 'shop/cart'],
  ['FORM-23 a git URL', 'git://example.com/shop/cart.git', 'example.com', 'shop/cart'],
  ['FORM-24 an http URL', 'http://example.com/shop/cart', 'example.com', 'shop/cart'],
  ['FORM-24 an https URL', 'https://GitHub.com/shop/cart.git/', 'github.com', 'shop/cart'],
  ['FORM-24 an https URL with a user', 'https://ann:pw@gitlab.com/a/b/c', 'gitlab.com', 'a/b/c'],
  ['FORM-25 an scp-style URL', 'git@github.com:shop/cart.git', 'github.com', 'shop/cart'],
  ['FORM-25 an scp-style URL with a path', ' git@example.com:/shop/cart.git ', 'example.com', 'shop/cart'],
])('%s is a git URL', (_, url, host, path) => expect(parseGitUrl(url)).toEqual({ host, path }))

it.each([
  '',
  'shop/cart',
  'github.com/shop/cart',
  'https://github.com',
  'https://github.com/',
  'ftp://a/b',
  'git@host',
])('FORM-22, FORM-23, FORM-24, FORM-25 %j is not a git URL', (text) => expect(parseGitUrl(text)).toBeUndefined())

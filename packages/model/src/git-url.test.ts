import { expect, test } from 'vitest'
import { isGitUrl } from './git-url'

test.each([
  ['FORM-22', 'ssh://git@github.com/org/repo.git'],
  ['FORM-22', 'ssh://git@git.example.com:2222/org/repo'],
  ['FORM-23', 'git://git.example.com/org/repo.git'],
  ['FORM-24', 'https://github.com/org/repo'],
  ['FORM-24', 'http://git.example.com:8080/group/sub/repo.git/'],
  ['FORM-24', 'https://user:token@gitlab.com/org/repo.git'],
  ['FORM-25', 'git@host:org/repo.git'],
  ['FORM-25', 'me@git.example.com:repo'],
])('%s takes %s', (_, url) => expect(isGitUrl(url)).toBe(true))

test.each([
  '',
  'org/repo',
  'https://',
  'https://github.com',
  'https://github.com/',
  'ftp://github.com/org/repo',
  'javascript:alert(1)',
  'https://github.com/org/re po',
  'git@host',
  'git@host:',
  ' git@host:org/repo',
  'file:///etc/passwd',
])('refuses %j', (url) => expect(isGitUrl(url)).toBe(false))

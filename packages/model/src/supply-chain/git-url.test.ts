import { expect, test } from 'vitest'
import { isGitUrl } from './git-url'

test.each([
  ['ssh', 'ssh://git@github.com/org/repo.git'],
  ['ssh', 'ssh://git@git.example.com:2222/org/repo'],
  ['git', 'git://git.example.com/org/repo.git'],
  ['http', 'https://github.com/org/repo'],
  ['http', 'http://git.example.com:8080/group/sub/repo.git/'],
  ['http', 'https://user:token@gitlab.com/org/repo.git'],
  ['scp', 'git@host:org/repo.git'],
  ['scp', 'me@git.example.com:repo'],
])('%s: accepts %s', (_, url) => expect(isGitUrl(url)).toBe(true))

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
])('rejects %j', (url) => expect(isGitUrl(url)).toBe(false))

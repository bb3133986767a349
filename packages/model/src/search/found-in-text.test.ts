import { expect, test } from 'vitest'
import { searchTermOf } from '../search-term'
import { pathInAddress, runNamesIn, type TextKind, textKindOf } from './found-in-text'

const sha = '0123456789abcdef0123456789abcdef01234567'

test.each<[string, TextKind]>([
  [sha, 'a commit'],
  [sha.slice(0, 7), 'a commit'],
  [`https://github.com/acme/web/commit/${sha}`, 'a commit'],
  ['feedbad', 'a name, a title or an author'],
  [`quay.io/acme/web:latest@sha256:${'a'.repeat(64)}`, 'a digest'],
  ['#12', 'a pull request'],
  ['https://gitlab.com/acme/web/-/merge_requests/12', 'a pull request'],
  ['CVE-2026-1234', 'a CVE'],
  ['https://access.redhat.com/security/cve/CVE-2026-1234', 'a CVE'],
  ['checkout-api', 'a name, a title or an author'],
  ['quay.io/acme/web:latest', 'an image by its tag'],
  [`quay.io/acme/web:${sha}`, 'a commit'],
  ['pull/3', 'a pull request'],
  ['fix(web): round prices', 'a name, a title or an author'],
])('%s is taken for %s', (text, kind) => expect(textKindOf(searchTermOf(text))).toBe(kind))

test.each<[string, string[]]>([
  ['web-on-push-x4k2p-build-container-pod', ['web-on-push-x4k2p-build', 'web-on-push-x4k2p', 'web-on-push', 'web-on']],
  ['web-x4k2p-init', ['web-x4k2p']],
  ['web-x4k2p', []],
  [
    'a-b-c-d-e-f-g-h-i-j',
    ['a-b-c-d-e-f-g-h-i', 'a-b-c-d-e-f-g-h', 'a-b-c-d-e-f-g', 'a-b-c-d-e-f', 'a-b-c-d-e', 'a-b-c-d'],
  ],
  ['Round the prices - again - and again', []],
  [sha, []],
])('the runs that %s may belong to are %j', (text, names) => expect(runNamesIn(searchTermOf(text))).toEqual(names))

test.each<[string, string | undefined]>([
  ['https://console.test/ns/team-a/applications/web?q=1#top', '/ns/team-a/applications/web?q=1#top'],
  ['https://other.test/konflux/ns/team-a', '/ns/team-a'],
  ['<https://other.test/ns/team-a/pipelinerun/web-x4k2p/logs/build>', '/ns/team-a/pipelinerun/web-x4k2p/logs/build'],
  ['https://other.test/releasemonitor?application=web', '/releasemonitor?application=web'],
  ['https://github.com/releasemonitor/web', undefined],
  ['https://github.com/acme/web', undefined],
  ['/ns/team-a', undefined],
  ['https://[', undefined],
])('the path in %s is %s', (text, path) => expect(pathInAddress(text)).toBe(path))

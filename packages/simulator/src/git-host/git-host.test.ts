import { configMapType, namespaceType } from '@slipway/kube/core-types'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { aNamespace } from '@slipway/model/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../../test/world'
import { createGitHost } from './git-host'
import { parseRepositoryUrl } from './git-url'
import { newRepository, openPullRequest, type GitRepository } from './repository'
import { gitHostNamespace, readRepository, repositoryConfigMap } from './store'

const origin = 'http://127.0.0.1:9080'
const time = '2026-01-31T08:00:00Z'
const author = 'mei-tanaka'

let world: World
let send: (request: Request) => Promise<Response>
beforeEach(async () => {
  world = await startWorld({
    controllers: [],
    objects: [
      [namespaceType, aNamespace()],
      [namespaceType, { metadata: { name: gitHostNamespace } }],
    ],
  })
  send = createGitHost({ client: world.client, now: () => world.clock.now(), origins: () => [origin] })
})
afterEach(() => world.close())

async function createRepository(
  url: string,
  provider: GitRepository['provider'],
  edit: (draft: GitRepository) => void = () => {},
) {
  const location = parseRepositoryUrl(url)
  if (!location) throw new Error(url)
  const repository = newRepository(location, provider, [{ title: 'Initial <b>commit</b>', author, time }])
  edit(repository)
  repository.deliveries = []
  await world.client.create(configMapType, repositoryConfigMap(repository))
  return repository
}
const withPull = (draft: GitRepository) =>
  void openPullRequest(draft, { title: 'Round <i>amounts</i>', body: '', source: 'x', target: 'main', author, time })

const get = async (path: string) => {
  const response = await send(new Request(`${origin}${path}`))
  return { status: response.status, text: await response.text(), headers: response.headers }
}
const post = (path: string, form: Record<string, string>, headers: Record<string, string> = { origin }) =>
  send(new Request(`${origin}${path}`, { method: 'POST', body: new URLSearchParams(form), headers }))
const stored = async () => {
  const { items } = await world.client.list(configMapType, { namespace: gitHostNamespace })
  const repository = items.map(readRepository).find((each) => each !== undefined)
  if (!repository) throw new Error('no repository')
  return repository
}

const github = '/github.com/payments/checkout-api'

describe('the pages', () => {
  it.each([
    ['https://github.com/payments/checkout-api', 'github', ['', '/pulls', '/pull/1', '/tree/main', '/blob/main/a/b']],
    ['https://gitlab.com/a/b/c', 'gitlab', ['', '.git', '/-/merge_requests/1', '/-/tree/main', '/-/blob/main/a']],
    ['https://bitbucket.org/a/b', 'bitbucket', ['', '/pull-requests/1', '/src/main', '/branch/main', '/src/main/a']],
  ] as const)('of %s have the paths of its provider', async (url, provider, paths) => {
    const repository = await createRepository(url, provider, withPull)
    const base = new URL(url).host + new URL(url).pathname
    const [sha] = [repository.branches[0]?.commits[0]?.sha]
    const commits = { github: 'commit', gitlab: '-/commit', bitbucket: 'commits' }[provider]
    for (const path of [...paths, `/${commits}/${sha}`]) {
      const page = await get(`/${base}${path}`)
      expect([path, page.status]).toEqual([path, 200])
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
      // All links of the page work.
      for (const [, href = ''] of page.text.matchAll(/href="([^"]+)"/g)) {
        if (href.startsWith('/')) expect([href, (await get(href)).status]).toEqual([href, 200])
      }
    }
  })

  it('escape text that users wrote', async () => {
    await createRepository('https://github.com/payments/checkout-api', 'github', withPull)
    const { text } = await get(github)
    expect(text).toContain('Initial &lt;b&gt;commit&lt;/b&gt;')
    expect(text).toContain('Round &lt;i&gt;amounts&lt;/i&gt;')
    expect(text).not.toMatch(/<script|<b>|<i>/)
  })

  it('show builds as checks, and link only to HTTP URLs', async () => {
    const repository = await createRepository('https://github.com/payments/checkout-api', 'github', withPull)
    const sha = repository.pullRequests[0]?.commits[0].sha ?? ''
    for (const [name, logUrl] of [
      ['good', 'https://console.test/run'],
      ['bad', 'javascript:alert(1)'],
    ]) {
      await world.client.create(pipelineRunType, {
        metadata: {
          name,
          namespace: 'team-payments',
          labels: { [labels.commitSha]: sha },
          annotations: { [annotations.pacRepositoryUrl]: repository.url, [annotations.pacLogUrl]: logUrl ?? '' },
        },
        spec: { pipelineRef: { name: 'x' } },
      })
    }
    const { text } = await get(`${github}/pull/1`)
    expect(text).toContain('href="https://console.test/run"')
    expect(text).toContain('In progress')
    expect(text).not.toContain('javascript:')
  })

  it.each(['/github.com/payments/other', '/github.com', `${github}/pull/9`, `${github}/tree/none`, `${github}/%zz`])(
    'return 404 for %s',
    async (path) => {
      await createRepository('https://github.com/payments/checkout-api', 'github')
      expect((await get(path)).status).toBe(404)
    },
  )
})

describe('the forms', () => {
  beforeEach(() => createRepository('https://github.com/payments/checkout-api', 'github', withPull).then(() => {}))

  it('merge a pull request and push to its target branch', async () => {
    const response = await post(`${github}/pull/1`, { action: 'merge' })
    expect([response.status, response.headers.get('location')]).toEqual([303, `${github}/pull/1`])
    const { pullRequests, branches, deliveries } = await stored()
    expect(pullRequests[0]).toMatchObject({ state: 'merged', closedBy: 'you' })
    expect(branches[0]?.commits[0]).toMatchObject({ title: 'Merge pull request #1 from payments/x', merges: 1 })
    expect(deliveries.map(({ event }) => event)).toEqual(['closed', 'push'])
    expect((await post(`${github}/pull/1`, { action: 'merge' })).status).toBe(409)
  })

  it.each([
    [{ action: 'close' }, ['closed']],
    [{ action: 'retest' }, ['retest']],
    [{ action: 'comment', text: 'Nice' }, []],
    [{ action: 'comment', text: '/retest please' }, ['retest']],
    [{ action: 'commit', title: 'More' }, ['pull_request']],
  ])('the form %j of a pull request delivers the events %j', async (form, events) => {
    expect((await post(`${github}/pull/1`, form)).status).toBe(303)
    expect((await stored()).deliveries.map(({ event }) => event)).toEqual(events)
  })

  it('push commits and open pull requests', async () => {
    expect((await post(github, { action: 'push', title: 'Fix', branch: 'main' })).status).toBe(303)
    const opened = await post(github, { action: 'open-pull-request', title: 'A thing!', branch: 'main' })
    expect(opened.headers.get('location')).toBe(`${github}/pull/2`)
    const { pullRequests, branches } = await stored()
    expect(branches[0]?.commits[0]).toMatchObject({ title: 'Fix', author: 'you', time: '2026-01-31T09:00:00Z' })
    expect(pullRequests[0]).toMatchObject({ title: 'A thing!', source: 'a-thing-2', target: 'main' })
  })

  it.each([
    [{ action: 'dance' }, 400],
    [{ action: 'comment', text: ' ' }, 400],
    [{ action: 'comment', text: 'x'.repeat(4_001) }, 400],
  ])('reject %j', async (form, status) => expect((await post(`${github}/pull/1`, form)).status).toBe(status))

  it.each<[string, Record<string, string>]>([
    ['another site', { origin: 'https://evil.test' }],
    ['no origin', {}],
    ['an opaque origin', { origin: 'null' }],
    ['another origin of the same site', { origin, 'sec-fetch-site': 'same-site' }],
  ])('reject requests from %s', async (_, headers) => {
    expect((await post(`${github}/pull/1`, { action: 'merge' }, headers)).status).toBe(403)
    expect((await stored()).pullRequests[0]?.state).toBe('open')
  })

  it('and pages are rejected for a host name of another site that resolves to this machine', async () => {
    const headers = { host: 'evil.test:9080', origin: 'http://evil.test:9080', 'sec-fetch-site': 'same-origin' }
    const merge = await post(`${github}/pull/1`, { action: 'merge' }, headers)
    const page = await send(new Request(`${origin}${github}`, { headers }))
    expect([merge.status, page.status]).toEqual([400, 400])
    expect(await page.text()).not.toContain('checkout-api')
    expect((await stored()).pullRequests[0]?.state).toBe('open')
  })

  it('retry on the current repository after a write conflict', async () => {
    const responses = await Promise.all(
      [1, 2, 3].map((n) => post(github, { action: 'push', title: `${n}`, branch: 'main' })),
    )
    expect(responses.map(({ status }) => status)).toEqual([303, 303, 303])
    expect((await stored()).branches[0]?.commits).toHaveLength(4)
  })
})

it('can be served below a base path', async () => {
  send = createGitHost({
    client: world.client,
    now: () => world.clock.now(),
    origins: () => [origin],
    basePath: '/git',
  })
  await createRepository('https://github.com/payments/checkout-api', 'github')
  expect((await get('/git/')).text).toContain('href="/git/github.com/payments/checkout-api"')
  expect((await get(`/git${github}`)).text).toContain('href="/git/-/style.css"')
  expect((await get(github)).status).toBe(404)
})

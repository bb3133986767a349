import { aPipelineRun } from '@slipway/model/testing'
import { aReleasePlanAdmission, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { expect, it } from 'vitest'
import { keyedRandom } from '../keyed-random'
import { artifactsOf } from './artifacts'

const sha = 'c0ffee'.padEnd(40, '0')
const target = 'registry.slipway.test/released/api'

it.each<[string, unknown, string[] | undefined]>([
  [
    'a repository with its tags',
    { components: [{ name: 'checkout-api', repository: target, tags: ['v1', 'v2'] }] },
    ['v1', 'v2'],
  ],
  [
    'repositories with tags of their own',
    { components: [{ name: 'checkout-api', repositories: [{ url: target, tags: ['v3'] }] }] },
    ['v3'],
  ],
  [
    'default tags with placeholders',
    {
      components: [{ name: 'checkout-api', repository: target }],
      defaults: { tags: ['{{ git_sha }}', '{{git_short_sha}}', 'at-{{ timestamp }}', '{{ unknown }}'] },
    },
    [sha, 'c0ffee0', 'at-1769850000', '{{ unknown }}'],
  ],
  ['no tags', { components: [{ name: 'checkout-api', repository: target }] }, []],
  ['another component', { components: [{ name: 'other', repository: target }] }, undefined],
  ['invalid components', { components: [null, 7, { name: {} }] }, undefined],
  ['nothing', undefined, undefined],
])('releases images to the repositories in the data of the admission: %s', (_, mapping, tags) => {
  const admission = aReleasePlanAdmission()
  const run = aPipelineRun({ status: { startTime: '2026-01-31T09:00:00Z' } })
  const artifacts = artifactsOf({
    run,
    admission: { ...admission, spec: { ...admission.spec, data: { mapping } } },
    snapshot: aSnapshot(),
    random: (key) => keyedRandom('test', key),
  })
  const urls = tags?.map((tag) => `${target}:${tag}`)
  const image = { name: 'checkout-api', oses: ['linux'], shasum: `sha256:${'0123456789abcdef'.repeat(4)}`, urls }
  if (tags) expect(artifacts).toMatchObject({ images: [image] })
  else expect(artifacts).toBeUndefined()
})

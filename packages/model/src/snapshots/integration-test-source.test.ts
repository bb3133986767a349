import { describe, expect, it } from 'vitest'
import { anIntegrationTestScenario } from '../testing/tests-and-releases'
import { invalidReasonOf, testSourceOf } from './integration-test-source'
import { scenarioValidCondition } from './integration-test-scenario'

const withParams = (resolver: string, params: Record<string, string>) =>
  anIntegrationTestScenario({
    spec: { resolverRef: { resolver, params: Object.entries(params).map(([name, value]) => ({ name, value })) } },
  })

describe('the source of an integration test', () => {
  it('ITS-17, ITS-18 is a file in a git repository, with the pages of a known host', () => {
    const params = { url: 'https://github.com/shop/tests.git', revision: 'v1', pathInRepo: 'pipelines/a b.yaml' }
    expect(testSourceOf(withParams('git', params))).toEqual({
      resolver: 'git',
      url: 'https://github.com/shop/tests.git',
      shortUrl: 'github.com/shop/tests',
      repoUrl: 'https://github.com/shop/tests',
      revision: 'v1',
      revisionUrl: 'https://github.com/shop/tests/tree/v1',
      path: 'pipelines/a b.yaml',
      pathUrl: 'https://github.com/shop/tests/tree/v1/pipelines/a%20b.yaml',
      bundle: undefined,
    })
  })

  it('has no pages on an unknown host', () => {
    const params = { url: 'https://code.example.com/shop/tests', revision: 'main', pathInRepo: 'a.yaml' }
    expect(testSourceOf(withParams('git', params))).toMatchObject({
      repoUrl: 'https://code.example.com/shop/tests',
      revisionUrl: undefined,
      pathUrl: undefined,
    })
  })

  it('ITS-17 is an image for the resolver bundles', () => {
    expect(testSourceOf(withParams('bundles', { bundle: 'quay.io/shop/tests:1', name: 'e2e' }))).toMatchObject({
      resolver: 'bundles',
      url: undefined,
      bundle: 'quay.io/shop/tests:1',
    })
  })

  it('is unknown without a resolver', () => {
    const test = anIntegrationTestScenario()
    // A list with a field mask omits what does not exist.
    expect(testSourceOf({ ...test, spec: {} as typeof test.spec })).toMatchObject({ resolver: undefined })
  })
})

describe('an integration test', () => {
  const checked = (status: 'True' | 'False', message?: string, reason = 'Invalid') =>
    anIntegrationTestScenario({ status: { conditions: [{ type: scenarioValidCondition, status, reason, message }] } })
  it.each([
    ['is valid', checked('True'), undefined],
    ['is not checked yet', anIntegrationTestScenario(), undefined],
    ['says why it is invalid', checked('False', 'no such application'), 'no such application'],
    ['is invalid for a reason', checked('False'), 'Invalid'],
    ['is invalid for an unknown reason', checked('False', '', ''), 'The platform does not say why.'],
  ])('%s', (_, test, reason) => expect(invalidReasonOf(test)).toBe(reason))
})

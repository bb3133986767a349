import { describe, expect, it } from 'vitest'
import { resourceName } from '../resource-name'
import { generateComponentName, randomSuffix, toComponentName } from './component-name'

it.each([
  ['Checkout', 'checkout'],
  [' My Service.API ', 'my-service-api'],
  ['cart', 'cart'],
])('IMP-38 %j is written in lower case, with dashes for spaces and dots', (text, name) =>
  expect(toComponentName(text)).toBe(name),
)

describe('a generated name', () => {
  it.each([
    ['checkout', 'checkout-ab3de'],
    ['Checkout.API', 'checkout-api-ab3de'],
    ['_my__repo_', 'my-repo-ab3de'],
    ['3scale', 'component-3scale-ab3de'],
    ['', 'component-ab3de'],
    ['x'.repeat(60), `${'x'.repeat(39)}-ab3de`],
    [`${'x'.repeat(38)}-long`, `${'x'.repeat(38)}-ab3de`],
  ])('IMP-34, IMP-35, IMP-36 from %j meets the rules of names', (repository, expected) => {
    const name = generateComponentName(repository, 'ab3de')
    expect(name).toBe(expected)
    expect(resourceName.safeParse(name).success).toBe(true)
  })

  it('IMP-35 ends in 5 random characters', () => {
    const numbers = [0, 0.5, 0.999, 0.25, 0.75]
    expect(randomSuffix(() => numbers.pop() ?? 0)).toBe('1j9sa')
    expect(randomSuffix(() => 0.999)).toBe('99999')
  })
})

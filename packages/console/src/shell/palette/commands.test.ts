import { expect, it, test } from 'vitest'
import { type Command, matchCommands } from './commands'

const command = (group: Command['group'], label: string): Command => ({
  id: `${group} ${label}`,
  group,
  label,
  run: () => undefined,
})
const commands = [
  command('Screens', 'Overview'),
  command('Screens', 'User Access'),
  command('Applications', 'my-checkout'),
  command('Applications', 'checkout'),
  command('Applications', 'precheck'),
  command('Namespaces', 'team-checkout'),
]

test.each([
  ['', 'Overview, User Access, my-checkout, checkout, precheck, team-checkout'],
  ['   ', 'Overview, User Access, my-checkout, checkout, precheck, team-checkout'],
  ['check', 'checkout, my-checkout, precheck, team-checkout'],
  ['CHECK', 'checkout, my-checkout, precheck, team-checkout'],
  ['check namespaces', 'team-checkout'],
  ['check application', 'checkout, my-checkout, precheck'],
  ['screens', 'Overview, User Access'],
  ['re', 'precheck'],
  ['access user', 'User Access'],
  ['.*', ''],
])('%j finds %s', (typed, expected) => {
  expect(
    matchCommands(commands, typed)
      .shown.map(({ label }) => label)
      .join(', '),
  ).toBe(expected)
})

it('limits the matches of every group, and counts all of them', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => command('Applications', `app-${index}`))
  const { shown, count } = matchCommands([...many, command('Namespaces', 'team-app')], 'app')
  expect(shown).toHaveLength(26)
  expect(shown.at(-1)?.label).toBe('team-app')
  expect(count).toBe(10_001)
})

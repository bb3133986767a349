import { describe, expect, it, test } from 'vitest'
import {
  type FlagDefinition,
  flagNames,
  type flags,
  flagsInUrl,
  type FlagSettings,
  flagStatusLabels,
  type FlagSources,
  needsConditions,
  parseConditions,
  parseFlagSettings,
  resolveFlags,
  visibleFlags,
  withFlag,
  withoutFlags,
} from './flag'

const resolve = (sources: Partial<FlagSources>) => resolveFlags({ url: {}, overrides: {}, conditions: {}, ...sources })

it('FLAG-01 there are six flags', () =>
  expect(flagNames).toEqual([
    'release-monitor',
    'column-management',
    'system-notifications',
    'kubearchive-logs',
    'taskruns-kubearchive',
    'pipelineruns-kubearchive',
  ]))

it('FLAG-02, FLAG-03 only column-management is on by default', () =>
  expect(resolve({ conditions: { isKubearchiveEnabled: true } })).toEqual({
    'release-monitor': false,
    'column-management': true,
    'system-notifications': false,
    'kubearchive-logs': false,
    'taskruns-kubearchive': false,
    'pipelineruns-kubearchive': false,
  }))

test.each<[string, string, FlagSettings]>([
  ['FLAG-04, FLAG-05 on', '?ff_release-monitor=true', { 'release-monitor': true }],
  ['FLAG-05 on without a value', '?ff_release-monitor', { 'release-monitor': true }],
  ['FLAG-04, FLAG-06 off', '?ff_column-management=false', { 'column-management': false }],
  ['FLAG-07 one of a list', '?ff=release-monitor', { 'release-monitor': true }],
  [
    'FLAG-07 all of a list',
    '?ff=release-monitor,system-notifications',
    { 'release-monitor': true, 'system-notifications': true },
  ],
  [
    'FLAG-07 a list with spaces',
    '?ff=release-monitor,+column-management',
    flagsOn('release-monitor', 'column-management'),
  ],
  ['FLAG-07 two lists', '?ff=release-monitor&ff=column-management', flagsOn('release-monitor', 'column-management')],
  [
    'FLAG-08 a flag of the list turned off',
    '?ff=release-monitor&ff_release-monitor=false',
    { 'release-monitor': false },
  ],
  ['another value', '?ff_release-monitor=banana', {}],
  ['flags that do not exist', '?ff=teleport,__proto__&ff_constructor=true', {}],
  ['other parameters', '?name=ff&release-monitor=true', {}],
  ['nothing', '', {}],
])('in a URL: %s', (_, search, expected) => expect(flagsInUrl(search)).toEqual(expected))

function flagsOn(...names: (keyof typeof flags)[]): FlagSettings {
  return Object.fromEntries(names.map((name) => [name, true]))
}

test.each<[string, string, string]>([
  ['FLAG-17 is added', '', '?ff_release-monitor=true'],
  ['FLAG-17 is replaced', '?ff_release-monitor=false', '?ff_release-monitor=true'],
  ['FLAG-17 keeps other parameters', '?name=a%26b&ff=x', '?name=a%26b&ff=x&ff_release-monitor=true'],
])('a flag set in a query %s', (_, search, expected) =>
  expect(withFlag(search, 'release-monitor', true)).toBe(expected),
)

test.each([
  ['?ff=a&ff_release-monitor=true&ff_gone=1&name=x', '?name=x'],
  ['?ff=a', ''],
  ['?offer=1', '?offer=1'],
])('FLAG-19 %s without flags is %j', (search, expected) => expect(withoutFlags(search)).toBe(expected))

const on: FlagSettings = { 'release-monitor': true, 'kubearchive-logs': true, 'column-management': true }
const off: FlagSettings = { 'release-monitor': false, 'kubearchive-logs': false, 'column-management': false }

describe('precedence', () => {
  test.each<[string, Partial<FlagSources>, boolean]>([
    ['FLAG-09 the URL turns on what the override turns off', { url: on, overrides: off }, true],
    ['FLAG-09 the URL turns off what the override turns on', { url: off, overrides: on }, false],
    ['FLAG-10 the override turns on what is off by default', { overrides: on }, true],
  ])('%s', (_, sources, expected) => expect(resolve(sources)['release-monitor']).toBe(expected))

  it('FLAG-10 the override turns off what is on by default', () =>
    expect(resolve({ overrides: off })['column-management']).toBe(false))

  test.each<[string, Partial<FlagSources>, boolean]>([
    ['FLAG-11 a false condition overrides the URL', { url: on, conditions: { isKubearchiveEnabled: false } }, false],
    [
      'FLAG-11 a false condition overrides the override',
      { overrides: on, conditions: { isKubearchiveEnabled: false } },
      false,
    ],
    ['FLAG-11 an unknown condition turns the flag off', { url: on }, false],
    ['FLAG-11 a true condition lets the URL decide', { url: on, conditions: { isKubearchiveEnabled: true } }, true],
    ['another condition changes nothing', { url: on, conditions: { isStagingCluster: true } }, false],
  ])('%s', (_, sources, expected) => expect(resolve(sources)['kubearchive-logs']).toBe(expected))
})

it('FLAG-12 the archive flags need the archive', () => {
  const url = Object.fromEntries(flagNames.map((name) => [name, true]))
  const forcedOff = flagNames.filter((name) => !resolve({ url })[name])
  expect(forcedOff).toEqual(['kubearchive-logs', 'taskruns-kubearchive', 'pipelineruns-kubearchive'])
  expect(forcedOff.every((name) => resolve({ url, conditions: { isKubearchiveEnabled: true } })[name])).toBe(true)
})

test.each<[string, Partial<FlagSources>, boolean]>([
  ['no flag is requested', {}, false],
  ['an unguarded flag is requested', { url: { 'release-monitor': true } }, false],
  ['a guarded flag is requested', { overrides: { 'kubearchive-logs': true } }, true],
  ['a guarded flag is turned off by the URL', { overrides: on, url: off }, false],
])('needs conditions only if they matter: %s', (_, sources, expected) =>
  expect(needsConditions({ url: {}, overrides: {}, ...sources })).toBe(expected),
)

describe('the list of flags', () => {
  const flag = (guard?: FlagDefinition['guard']): FlagDefinition => ({
    description: '',
    status: 'wip',
    isOnByDefault: false,
    guard,
  })
  const staging = { condition: 'isStagingCluster', failureReason: 'Only on staging', staysVisible: false } as const
  const all = { free: flag(), hidden: flag(staging), shown: flag({ ...staging, staysVisible: true }) }
  const namesOf = (conditions: object) => visibleFlags(all, conditions).map(({ name }) => name)

  it('FLAG-28 includes a guarded flag if its condition is true or it stays visible', () => {
    expect(namesOf({})).toEqual(['free', 'shown'])
    expect(namesOf({ isStagingCluster: false })).toEqual(['free', 'shown'])
    expect(namesOf({ isStagingCluster: true })).toEqual(['free', 'hidden', 'shown'])
  })

  it('FLAG-29, FLAG-30 gives the reason why a flag cannot be turned on', () => {
    expect(visibleFlags(all, {}).map(({ disabledReason }) => disabledReason)).toEqual([undefined, 'Only on staging'])
    expect(visibleFlags(all, { isStagingCluster: true }).some(({ disabledReason }) => disabledReason)).toBe(false)
  })

  it('FLAG-25, FLAG-26 gives the status of each flag', () =>
    expect(flagStatusLabels).toEqual({ wip: 'Unstable', ready: 'Stable' }))
})

test.each<[unknown, FlagSettings]>([
  [
    { 'release-monitor': true, 'column-management': false },
    { 'release-monitor': true, 'column-management': false },
  ],
  [{ 'release-monitor': 'yes', gone: true, __proto__: { 'column-management': false } }, {}],
  [null, {}],
  ['true', {}],
  [[true], {}],
])('stored flags %j are parsed as %j', (value, expected) => expect(parseFlagSettings(value)).toEqual(expected))

it('invalid stored conditions are ignored', () => {
  expect(parseConditions({ isKubearchiveEnabled: true, isStagingCluster: 1, other: true })).toEqual({
    isKubearchiveEnabled: true,
  })
  expect(parseConditions(undefined)).toEqual({})
})

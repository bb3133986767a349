import { readFile } from 'node:fs/promises'
import { expect, it, test } from 'vitest'
import { flagNames, parseFlags } from '../flags'
import { simulateOptions } from './options'

const parse = (args: string[], env: Record<string, string>) => simulateOptions(parseFlags('simulate', args, env), env)

const kubeconfig = ['--kubeconfig', 'config']
const defaults = {
  kubeconfig: 'config',
  context: undefined,
  scenario: undefined,
  speed: 1,
  platform: 'current',
  gitPort: 8083,
  consoleUrl: 'http://127.0.0.1:8080',
}

test.each<[string, string[], Record<string, string>, object]>([
  ['only a kubeconfig', kubeconfig, {}, defaults],
  ['the kubeconfig of kubectl', [], { KUBECONFIG: 'config' }, defaults],
  ['its own variable over KUBECONFIG', [], { SLIPWAY_KUBECONFIG: 'config', KUBECONFIG: 'other' }, defaults],
  [
    'every flag',
    [
      ...[...kubeconfig, '--context', 'kind', '--scenario', 'none', '--speed', '2.5'],
      ...['--git-port', '0', '--console-url', 'https://console.example/'],
    ],
    {},
    {
      ...defaults,
      context: 'kind',
      scenario: 'none',
      speed: 2.5,
      gitPort: 0,
      consoleUrl: 'https://console.example',
    },
  ],
  [
    'variables',
    kubeconfig,
    {
      SLIPWAY_CONTEXT: 'kind',
      SLIPWAY_SCENARIO: 'faults',
      SLIPWAY_SPEED: '9',
      SLIPWAY_GIT_PORT: '1',
      SLIPWAY_PLATFORM: 'legacy',
    },
    { ...defaults, context: 'kind', scenario: 'faults', speed: 9, gitPort: 1, platform: 'legacy' },
  ],
])('%s', (_, args, env, expected) => expect(parse(args, env)).toEqual(expected))

test.each([
  [[], 'Choose a cluster with --kubeconfig.'],
  [['--faster'], "Unknown option '--faster'. See slipway simulate --help for all options."],
  [[...kubeconfig, '--scenario', 'big'], '--scenario must be one of demo, empty, large, faults, none, not "big".'],
  [[...kubeconfig, '--platform', 'old'], '--platform must be one of current, legacy, not "old".'],
  [[...kubeconfig, '--speed', '0'], '--speed must be a number above 0 and at most 1000, not "0".'],
  [[...kubeconfig, '--git-port', 'x'], '--git-port must be a port number from 0 to 65535, not "x".'],
  [
    [...kubeconfig, '--console-url', 'console'],
    '--console-url must be a URL such as http://127.0.0.1:8080, not "console".',
  ],
])('%j is rejected', (args, message) => expect(() => parse(args, {})).toThrow(message))

const guide = await readFile(new URL('../../../../docs/simulating.md', import.meta.url), 'utf8')

it('the guide documents all flags', () => {
  const named = [...guide.matchAll(/^\| `--([a-z-]+)`/gm)].map(([, name]) => name)
  expect([...named, 'help'].sort()).toEqual(flagNames('simulate').sort())
})

import { readFile } from 'node:fs/promises'
import { expect, it, test } from 'vitest'
import { flagNames, simulateHelp, simulateOptions } from './options'

const kubeconfig = ['--kubeconfig', 'config']
const defaults = {
  kubeconfig: 'config',
  context: undefined,
  scenario: undefined,
  speed: 1,
  gitPort: 8083,
  consoleUrl: 'http://127.0.0.1:8080',
}

test.each<[string, string[], Record<string, string>, object]>([
  ['a kubeconfig alone', kubeconfig, {}, defaults],
  ['the kubeconfig of kubectl', [], { KUBECONFIG: 'config' }, defaults],
  ['one of its own before it', [], { SLIPWAY_KUBECONFIG: 'config', KUBECONFIG: 'other' }, defaults],
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
    { SLIPWAY_CONTEXT: 'kind', SLIPWAY_SCENARIO: 'faults', SLIPWAY_SPEED: '9', SLIPWAY_GIT_PORT: '1' },
    { ...defaults, context: 'kind', scenario: 'faults', speed: 9, gitPort: 1 },
  ],
])('%s', (_, args, env, expected) => expect(simulateOptions(args, env)).toEqual(expected))

test.each([
  [['--help'], 'help'],
  [['-h'], 'help'],
  [['--print-role'], 'print role'],
])('%j asks for text alone', (args, expected) => expect(simulateOptions(args, {})).toBe(expected))

test.each([
  [[], 'Say which cluster: --kubeconfig.'],
  [['--faster'], "Unknown option '--faster'; see slipway simulate --help for the options there are."],
  [[...kubeconfig, '--scenario', 'big'], '--scenario must be one of demo, empty, large, faults, none, not "big".'],
  [[...kubeconfig, '--speed', '0'], '--speed must be a number above 0 and at most 1000, not "0".'],
  [[...kubeconfig, '--git-port', 'x'], '--git-port must be a port number from 0 to 65535, not "x".'],
  [
    [...kubeconfig, '--console-url', 'console'],
    '--console-url must be an address such as http://127.0.0.1:8080, not "console".',
  ],
])('%j is refused', (args, message) => expect(() => simulateOptions(args, {})).toThrow(message))

const guide = await readFile(new URL('../../../../docs/simulating.md', import.meta.url), 'utf8')

it('has its flags in the table of the guide', () => {
  const named = [...guide.matchAll(/^\| `--([a-z-]+)`/gm)].map(([, name]) => name)
  expect([...named, 'help'].sort()).toEqual([...flagNames].sort())
})

it('names every flag in its help', () => {
  const named = [...simulateHelp.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, name]) => name)
  expect(named.sort()).toEqual([...flagNames].sort())
})

import { describe, expect, test } from 'vitest'
import { parseOptions, type Options } from './options'

const defaults: Options = {
  port: 8080,
  apiPort: 8081,
  signInPort: 8082,
  data: '/here/.slipway',
  fresh: false,
  help: false,
}

describe('what the command is asked to do', () => {
  test.each<[string, string[], Record<string, string>, Partial<Options>]>([
    ['nothing', [], {}, {}],
    [
      'ports as flags',
      ['--port', '9000', '--api-port=9001', '--sign-in-port=9002'],
      {},
      { port: 9000, apiPort: 9001, signInPort: 9002 },
    ],
    [
      'ports in the environment',
      [],
      { SLIPWAY_PORT: '9000', SLIPWAY_API_PORT: '9001', SLIPWAY_SIGN_IN_PORT: '9002' },
      { port: 9000, apiPort: 9001, signInPort: 9002 },
    ],
    [
      'origins of what stands before it',
      ['--public-origin=http://localhost:5173', '--public-origin=http://127.0.0.1:5173'],
      {},
      { publicOrigins: ['http://localhost:5173', 'http://127.0.0.1:5173'] },
    ],
    ['a flag over the environment', ['--port', '9000'], { SLIPWAY_PORT: '7000' }, { port: 9000 }],
    ['a flag over nonsense in the environment', ['--port', '9000'], { SLIPWAY_PORT: 'x' }, { port: 9000 }],
    ['an empty variable is none', [], { SLIPWAY_PORT: '', SLIPWAY_DATA: '' }, {}],
    [
      'any free ports',
      ['--port', '0', '--api-port', '0', '--sign-in-port', '0'],
      {},
      { port: 0, apiPort: 0, signInPort: 0 },
    ],
    ['a folder beside', ['--data', 'mine'], {}, { data: '/here/mine' }],
    ['a folder elsewhere', [], { SLIPWAY_DATA: '/there/data' }, { data: '/there/data' }],
    ['a folder as a flag', ['--data=/a'], { SLIPWAY_DATA: '/b' }, { data: '/a' }],
    ['a fresh start', ['--fresh'], {}, { fresh: true }],
    ['help', ['--help'], {}, { help: true }],
    ['help, shortly', ['-h'], {}, { help: true }],
  ])('%s', (_, argv, env, expected) => expect(parseOptions(argv, env, '/here')).toEqual({ ...defaults, ...expected }))
})

describe('what it does not understand, in one sentence', () => {
  test.each<[string[], Record<string, string>, string]>([
    [['--port', 'eighty'], {}, '--port must be a port number from 0 to 65535, not "eighty".'],
    [['--port', '65536'], {}, '--port must be a port number from 0 to 65535, not "65536".'],
    [['--port', ''], {}, '--port must be a port number from 0 to 65535, not "".'],
    [['--api-port=1e3'], {}, '--api-port must be a port number from 0 to 65535, not "1e3".'],
    [[], { SLIPWAY_API_PORT: '-1' }, 'SLIPWAY_API_PORT must be a port number from 0 to 65535, not "-1".'],
    [
      ['--public-origin=localhost'],
      {},
      '--public-origin must be an origin such as http://localhost:8080, not "localhost".',
    ],
    [['--data', ''], {}, '--data needs the name of a folder.'],
    [
      ['--port', '8081'],
      {},
      'The console and the Kubernetes API cannot both listen on port 8081; choose another one with --port or --api-port.',
    ],
    [
      ['--sign-in-port', '8081'],
      {},
      'The Kubernetes API and the sign-in page cannot both listen on port 8081; choose another one with --api-port or --sign-in-port.',
    ],
    [['--prot', '1'], {}, "Unknown option '--prot'; see --help for the options there are."],
    [['serve'], {}, "Unexpected argument 'serve'; see --help for the options there are."],
    [['--port'], {}, "Option '--port <value>' argument missing; see --help for the options there are."],
    [['--fresh=yes'], {}, "Option '--fresh' does not take an argument; see --help for the options there are."],
  ])('%j %j', (argv, env, message) => expect(() => parseOptions(argv, env, '/here')).toThrow(message))
})

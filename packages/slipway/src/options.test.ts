import { describe, expect, test } from 'vitest'
import { parseFlags } from './flags'
import { startOptions, type Options } from './options'

const parse = (argv: string[], env: Record<string, string>) => startOptions(parseFlags('start', argv, env), '/here')

const defaults: Options = {
  port: 8080,
  apiPort: 8081,
  signInPort: 8082,
  gitPort: 8083,
  scenario: undefined,
  speed: 1,
  simulator: true,
  platform: 'current',
  archive: 'kubearchive',
  views: true,
  retention: { keepHours: 3, eventMinutes: 60, archiveDays: 90, archiveMegabytes: 150 },
  plainHttp: false,
  data: '/here/.slipway',
  fresh: false,
  open: false,
}

describe('parses', () => {
  test.each<[string, string[], Record<string, string>, Partial<Options>]>([
    ['nothing', [], {}, {}],
    [
      'ports as flags',
      ['--port', '9000', '--api-port=9001', '--sign-in-port=9002', '--git-port=9003'],
      {},
      { port: 9000, apiPort: 9001, signInPort: 9002, gitPort: 9003 },
    ],
    [
      'ports in the environment',
      [],
      { SLIPWAY_PORT: '9000', SLIPWAY_API_PORT: '9001', SLIPWAY_SIGN_IN_PORT: '9002', SLIPWAY_GIT_PORT: '9003' },
      { port: 9000, apiPort: 9001, signInPort: 9002, gitPort: 9003 },
    ],
    [
      'public origins',
      ['--public-origin=http://localhost:5173', '--public-origin=http://127.0.0.1:5173'],
      {},
      { publicOrigins: ['http://localhost:5173', 'http://127.0.0.1:5173'] },
    ],
    [
      'a public origin with a path',
      ['--public-origin=http://localhost:5173/console/'],
      {},
      { publicOrigins: ['http://localhost:5173/console'] },
    ],
    ['a limit for the content of pages', ['--render-milliseconds=500'], {}, { renderMs: 500 }],
    ['a flag over the environment', ['--port', '9000'], { SLIPWAY_PORT: '7000' }, { port: 9000 }],
    ['a flag over an invalid variable', ['--port', '9000'], { SLIPWAY_PORT: 'x' }, { port: 9000 }],
    ['an empty variable as unset', [], { SLIPWAY_PORT: '', SLIPWAY_DATA: '' }, {}],
    [
      'any free ports',
      ['--port', '0', '--api-port', '0', '--sign-in-port', '0', '--git-port', '0'],
      {},
      { port: 0, apiPort: 0, signInPort: 0, gitPort: 0 },
    ],
    ['a browser to open', ['--open'], {}, { open: true }],
    ['a browser to open in the environment', [], { SLIPWAY_OPEN: '1' }, { open: true }],
    ['a relative folder', ['--data', 'mine'], {}, { data: '/here/mine' }],
    ['an absolute folder', [], { SLIPWAY_DATA: '/there/data' }, { data: '/there/data' }],
    ['a folder as a flag', ['--data=/a'], { SLIPWAY_DATA: '/b' }, { data: '/a' }],
    [
      'another world',
      [
        '--scenario',
        'large',
        '--speed=2.5',
        '--simulator=off',
        '--archive',
        'none',
        '--platform=legacy',
        '--views=off',
      ],
      {},
      { scenario: 'large', speed: 2.5, simulator: false, archive: 'none', platform: 'legacy', views: false },
    ],
    [
      'other options from the environment',
      [],
      { SLIPWAY_SCENARIO: 'empty', SLIPWAY_SPEED: '10', SLIPWAY_SIMULATOR: 'off', SLIPWAY_ARCHIVE: 'results' },
      { scenario: 'empty', speed: 10, simulator: false, archive: 'results' },
    ],
    [
      'how much history is kept',
      ['--keep-hours=24', '--event-minutes', '5', '--archive-megabytes=1000'],
      { SLIPWAY_ARCHIVE_DAYS: '7' },
      { retention: { keepHours: 24, eventMinutes: 5, archiveDays: 7, archiveMegabytes: 1000 } },
    ],
    ['plain HTTP at the API', ['--plain-http', 'on'], { SLIPWAY_PLAIN_HTTP: 'off' }, { plainHttp: true }],
    ['a fresh start', ['--fresh'], {}, { fresh: true }],
    ['no fresh start by a variable, which would delete data each time', [], { SLIPWAY_FRESH: 'true' }, {}],
  ])('%s', (_, argv, env, expected) => expect(parse(argv, env)).toEqual({ ...defaults, ...expected }))
})

describe('rejects invalid options with a message', () => {
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
    [['--scenario', 'huge'], {}, '--scenario must be one of demo, empty, large, faults, not "huge".'],
    [[], { SLIPWAY_SIMULATOR: 'yes' }, 'SLIPWAY_SIMULATOR must be one of on, off, not "yes".'],
    [['--archive='], {}, '--archive must be one of none, kubearchive, results, both, not "".'],
    [['--speed', '0'], {}, '--speed must be a number above 0 and at most 1000, not "0".'],
    [['--speed', '1e9'], {}, '--speed must be a number above 0 and at most 1000, not "1e9".'],
    [
      ['--git-port', '8082'],
      {},
      'The sign-in page and the git host cannot both listen on port 8082. Choose another port with --sign-in-port or --git-port.',
    ],
    [['--data', ''], {}, '--data requires a folder.'],
    [
      ['--port', '8081'],
      {},
      'The console and the Kubernetes API cannot both listen on port 8081. Choose another port with --port or --api-port.',
    ],
    [
      ['--sign-in-port', '8081'],
      {},
      'The Kubernetes API and the sign-in page cannot both listen on port 8081. Choose another port with --api-port or --sign-in-port.',
    ],
    [['--prot', '1'], {}, "Unknown option '--prot'. See slipway start --help for all options."],
    [['serve'], {}, "Unexpected argument 'serve'. See slipway start --help for all options."],
    [['--port'], {}, "Option '--port <value>' argument missing. See slipway start --help for all options."],
    [['--fresh=yes'], {}, "Option '--fresh' does not take an argument. See slipway start --help for all options."],
  ])('%j %j', (argv, env, message) => expect(() => parse(argv, env)).toThrow(message))
})

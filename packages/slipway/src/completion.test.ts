import { execFileSync, spawnSync } from 'node:child_process'
import { describe, expect, it, test } from 'vitest'
import { completionScript } from './completion'
import { commands, flagNames, type CommandName } from './flags'

const names = Object.keys(commands) as CommandName[] // It has no other keys.

describe('bash', () => {
  /** What bash offers for the last of these words. */
  function complete(...words: string[]): string[] {
    const array = words.map((word) => `'${word}'`).join(' ')
    const script = `${completionScript(['bash'])}
      COMP_WORDS=(slipway ${array}); COMP_CWORD=${words.length}; _slipway; printf '%s\\n' "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\n').filter(Boolean)
  }

  it('offers the commands and the options of a start for the first word', () => {
    expect(complete('')).toEqual([...names, ...flagNames('start').map((name) => `--${name}`)])
    expect(complete('do')).toEqual(['doctor'])
  })

  it.each(names)('offers all options of %s', (command) => {
    expect(complete(command, '--')).toEqual(flagNames(command).map((name) => `--${name}`))
  })

  it('offers the options of a start without a command', () => {
    expect(complete('--fresh', '--sign')).toEqual(['--sign-in-port'])
  })

  test.each([
    ['on and off', ['--simulator', ''], ['on', 'off']],
    ['a value after an equals sign', ['start', '--platform', '=', 'leg'], ['legacy']],
    ['a value before the first letter', ['start', '--platform', '='], ['current', 'legacy']],
    ['a scenario of the command', ['simulate', '--scenario', 'no'], ['none']],
    ['no scenario of another command', ['start', '--scenario', 'no'], []],
    ['the shells', ['completion', ''], ['bash', 'zsh', 'fish']],
    ['nothing in place of a number', ['--port', ''], []],
    ['files, which bash completes', ['gateway', '--kubeconfig', ''], []],
  ])('offers %s', (_, words, expected) => {
    expect(complete(...words).filter((word) => !word.startsWith('--'))).toEqual(expected)
  })
})

it.each(['zsh', 'fish'])('%s has every command and option with its description', (shell) => {
  const script = completionScript([shell])
  for (const command of names) {
    expect(script).toContain(commands[command].summary)
    for (const name of flagNames(command)) expect(script).toContain(shell === 'zsh' ? `--${name}` : `-l ${name} `)
  }
  expect(script).toContain('bash zsh fish')
})

/** Besides bash, which is everywhere. */
const installed = ['zsh', 'fish'].filter((shell) => spawnSync(shell, ['--version']).status === 0)

it('is valid in the shells of this machine', () => {
  const results = ['bash', ...installed].map((shell) => {
    // A shell warns of a locale that the machine does not have.
    const env = { ...process.env, LC_ALL: 'C' }
    const { status, stderr } = spawnSync(shell, ['-n', '-c', completionScript([shell])], { encoding: 'utf8', env })
    return { shell, status, stderr }
  })
  expect(results.filter(({ status, stderr }) => status !== 0 || stderr)).toEqual([])
})

it.each([[[]], [['tcsh']], [['bash', 'zsh']], [['toString']]])('rejects %j', (args) => {
  expect(() => completionScript(args)).toThrow('slipway completion requires one shell: bash, zsh, fish.')
})

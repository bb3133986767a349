import { expect, test } from 'vitest'
import { commands, flagNames, helpOf, parseFlags, variableOf, version, type CommandName } from './flags'

const names = Object.keys(commands) as CommandName[] // no other keys

test.each(names)('the help of %s has a line for each flag, and fits into a terminal', (command) => {
  const help = helpOf(command)
  expect(help).toMatch(new RegExp(`^Usage: slipway .*${command}`))
  for (const name of flagNames(command)) expect(help).toMatch(new RegExp(`^ {2}--${name}( |$)`, 'm'))
  expect(help.split('\n').filter((line) => line.length > 130)).toEqual([])
  expect(new Set(flagNames(command).map(variableOf)).size).toBe(flagNames(command).length)
})

test('the help of slipway without a command lists all commands', () => {
  for (const name of names) expect(helpOf('start')).toMatch(new RegExp(`slipway \\[?${name}`))
})

test.each(['--help', '-h'])('%s asks for help with any command', (flag) => {
  for (const name of names) expect(parseFlags(name, [flag], {}).needsHelp).toBe(true)
})

test('the version is that of the package', () => expect(version()).toMatch(/^\d+\.\d+\.\d+/))

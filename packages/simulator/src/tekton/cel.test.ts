import { expect, it } from 'vitest'
import { evaluateCel } from './cel'

it.each([
  [`'yes' == 'no'`, false],
  [`'yes' != 'no' && !('a' == 'b')`, true],
  [`'main' in ['main', 'release']`, true],
  [`'release-1'.startsWith('release') ? size('abc') > 2 : false`, true],
])('the expression %s is %s', (expression, expected) => expect(evaluateCel(expression)).toBe(expected))

it.each([
  [`'yes'`, `The CEL expression 'yes' is not evaluated to a boolean`],
  [`unknown == 1`, 'Unknown variable: unknown'],
  [`'aaa'.matches('(a+)+$')`, 'the simulator does not support the function matches'],
  [`[[1, 2].exists(n, n == 1)].size() == 1`, 'the simulator does not support the function exists'],
])('the expression %s is refused', (expression, message) => expect(() => evaluateCel(expression)).toThrow(message))

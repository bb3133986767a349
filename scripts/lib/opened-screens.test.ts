import { expect, test } from 'vitest'
import { mergeOpenedScreens, type Observation } from './opened-screens.mjs'

const observe = (file: string, screens: string[], isComplete = true): Observation => ({ file, screens, isComplete })
const merge = (recorded: Record<string, string[]>, ...observations: Observation[]) =>
  mergeOpenedScreens(recorded, observations, (file) => file !== 'deleted.test.tsx')

test('screens are added and never taken away', () =>
  expect(merge({ 'a.test.tsx': ['release'] }, observe('a.test.tsx', ['snapshot', 'application', 'snapshot']))).toEqual({
    'a.test.tsx': ['application', 'release', 'snapshot'],
  }))

test('a file whose tests do not all pass is not recorded for the first time', () => {
  expect(merge({}, observe('a.test.tsx', ['release'], false))).toEqual({})
  expect(merge({ 'a.test.tsx': [] }, observe('a.test.tsx', ['release'], false))).toEqual({ 'a.test.tsx': ['release'] })
})

test('deleted files are left out, and files are in order', () =>
  expect(JSON.stringify(merge({ 'b.test.tsx': [], 'deleted.test.tsx': [] }, observe('a.test.tsx', [])))).toBe(
    '{"a.test.tsx":[],"b.test.tsx":[]}',
  ))

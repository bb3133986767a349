import { expect, it } from 'vitest'
import { findDeadCode } from './lib/dead-code.mjs'
import { findUnsetOptions } from './lib/unset-options.mjs'

const files: Record<string, string> = {
  'packages/console/src/main.tsx': `
    import { api } from './api'
    import { used } from './rule'
    import type { unused } from './rule'
    api.get(used)`,
  'packages/console/src/api.ts': `export const api = { get: () => fetch(base), list: () => fetch(base) }\nconst base = ''`,
  'packages/console/src/rule.ts': `
    export const used = () => new Worker(new URL('./worker.ts', import.meta.url))
    export const unused = () => inner()
    const inner = () => 1`,
  'packages/console/src/worker.ts': `import { scan } from './scan'\nonmessage = () => scan()`,
  'packages/console/src/scan.ts': `export const scan = () => 1\nexport const door = () => 2\nexport const ahead = () => 3`,
  'packages/console/src/rule.test.ts': `import { unused } from './rule'\nunused()`,
  'packages/slipway/src/cli.ts': `export { start as main } from './start'`,
  'packages/slipway/src/start.ts': `export function start() { const stop = 1; return stop }\nexport function stop() {}`,
}
const find = (doors: string[], ahead: string[]) =>
  findDeadCode(
    { files: Object.keys(files), read: (path) => files[path] },
    {
      console: ['packages/console/src/main.tsx'],
      command: ['packages/slipway/src/cli.ts'],
      doors: doors.map((symbol) => ({ symbol, why: 'For tests.' })),
      ahead: ahead.map((symbol) => ({ symbol, why: 'For a screen.' })),
    },
  )

it('finds what no entry point reaches: members, functions, and what only they use', () => {
  expect(find(['packages/console/src/scan.ts#door'], ['packages/console/src/scan.ts#ahead'])).toEqual({
    dead: [
      'packages/console/src/api.ts#api.list',
      'packages/console/src/rule.ts#unused',
      'packages/console/src/rule.ts#inner',
      'packages/slipway/src/start.ts#stop',
    ],
    needless: [],
  })
})

it('refuses exceptions for what is reached, and for what does not exist', () => {
  const needless = ['packages/console/src/scan.ts#scan', 'packages/console/src/scan.ts#gone']
  expect(find(needless, []).needless).toEqual(needless)
})

it('finds options that no file of the product sets', () => {
  const sources: Record<string, string> = {
    'packages/console/src/Text.tsx': `
      interface TextProps { isShort?: boolean; isLong?: boolean; isBlank?: boolean; isLoud?: boolean; token?: string; text: string }
      export const Text = ({ isShort, isLong, isBlank, isLoud }: TextProps) => isShort ?? isLong ?? isBlank ?? isLoud`,
    'packages/console/src/Page.tsx': `
      options.isLoud = true
      export const Page = () => <Text isLong {...{ isBlank: true }} text="" />`,
    'packages/model/src/release.ts': `interface Release { status?: string }`,
  }
  const symbol = (name: string) => `packages/console/src/Text.tsx#${name}`
  const exceptions = ['token', 'isLong'].map((name) => ({ symbol: symbol(name), why: 'By a server.' }))
  expect(findUnsetOptions({ files: Object.keys(sources), read: (path) => sources[path] }, exceptions)).toEqual({
    unset: [symbol('isShort')],
    needless: [symbol('isLong')],
  })
})

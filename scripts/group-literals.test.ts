import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { inEachGroup } from '@slipway/kube/resource-type'
import { componentType } from '@slipway/model/builds/component'

const groups = inEachGroup(componentType).map(({ group }) => group.replaceAll('.', String.raw`\.`))
/** A group by itself, with a version, after a plural or in a path. Keys of labels, such as `build.{group}/x`, are none. */
const literal = new RegExp(groups.map((g) => `['"\`]${g}['"\`]|${g}/v\\d|[a-z]s\\.${g}|/apis/${g}`).join('|'))

const violations = (files: readonly (readonly [name: string, text: string])[]): string[] =>
  files.filter(([, text]) => literal.test(text) && !text.includes('defineResource')).map(([name]) => name)

it('only the file of a kind names its group, so that no other code reads a kind where it is not served', () => {
  const sources = readdirSync('packages').flatMap((name) =>
    readdirSync(`packages/${name}/src`, { recursive: true, encoding: 'utf8' }).map(
      (path) => `packages/${name}/src/${path}`,
    ),
  )
  const names = sources.filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
  expect(names.length).toBeGreaterThan(500)
  expect(violations(names.map((name) => [name, readFileSync(name, 'utf8')]))).toEqual([])
})

it.each<[string, boolean]>([
  ["group: 'appstudio.redhat.com'", true],
  ["apiGroups: ['konflux-ci.dev']", true],
  ["apiVersion: 'konflux-ci.dev/v1alpha1'", true],
  ['`components.appstudio.redhat.com "${name}" not found`', true],
  ["'/apis/appstudio.redhat.com/v1alpha1'", true],
  ["defineResource({ group: 'appstudio.redhat.com' })", false],
  ["'build.appstudio.redhat.com/commit_sha'", false],
  ["'appstudio.redhat.com/credentials'", false],
  ['`rbac.konflux-ci.dev/aggregate-to-${role}`', false],
  ["'https://konflux-ci.dev/docs/releasing/'", false],
])('the check of %s finds a group: %s', (text, isFound) =>
  expect(violations([['it.ts', text]])).toEqual(isFound ? ['it.ts'] : []),
)

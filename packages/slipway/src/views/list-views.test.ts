import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { flagNames } from '../flags'

const text = await readFile(new URL('../../../../docs/list-views.md', import.meta.url), 'utf8')

it('the guide to the service for list views documents exactly the flags of the help', () => {
  const ofTheService = text.replaceAll(/\bkubectl [^`\n]*/g, '')
  const named = new Set([...ofTheService.matchAll(/(?<![\w-])--([a-z][a-z-]*)/g)].map(([, name = '']) => name))
  expect([...named].sort()).toEqual(flagNames('views').sort())
})

it('the YAML of the guide to the service for list views can be applied unchanged', () => {
  const [, block = ''] = /```yaml\n([^]*?)```/.exec(text) ?? []
  const kinds = parseAllDocuments(block).map((each) => (each.toJS() as { kind?: string }).kind)
  expect(kinds).toEqual([
    'ServiceAccount',
    'ClusterRoleBinding',
    'ServiceAccount',
    'ClusterRoleBinding',
    'Secret',
    'Deployment',
    'Service',
  ])
})

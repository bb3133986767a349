import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { formatMetrics } from '@slipway/views/host/metrics'
import { flagNames } from '../flags'

const text = await readFile(new URL('../../../../docs/list-views.md', import.meta.url), 'utf8')

it('the guide to the service for list views documents exactly the flags of the help', () => {
  const ofTheService = text.replaceAll(/\bkubectl [^`\n]*/g, '')
  const named = new Set([...ofTheService.matchAll(/(?<![\w-])--([a-z][a-z-]*)/g)].map(([, name = '']) => name))
  expect([...named].sort()).toEqual(flagNames('views').sort())
})

it('the guide to the service for list views lists exactly its metrics', () => {
  const section = text.slice(text.indexOf('## Metrics'))
  const documented = [...section.matchAll(/`(slipway_views_[a-z_]+)/g)].map(([, name = '']) => name)
  const metrics = formatMetrics({
    bytes: 0,
    shelves: 0,
    sessions: 0,
    reviews: { allowed: 0, denied: 0, failed: 0, running: 0, waiting: 0 },
  })
  const exported = [...metrics.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name)
  expect(documented.sort()).toEqual(exported.sort())
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

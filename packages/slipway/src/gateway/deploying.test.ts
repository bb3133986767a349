import { readFile } from 'node:fs/promises'
import { parseAllDocuments } from 'yaml'
import { expect, it } from 'vitest'
import { createMetrics } from '@slipway/gateway/operations/metrics'
import { flagNames } from '../flags'

const text = await readFile(new URL('../../../../docs/deploying.md', import.meta.url), 'utf8')

it('the deployment guide documents exactly the flags of the help', () => {
  const ofTheGateway = text.replaceAll(/\b(?:(?:node|npm|kubectl|oauth2-proxy|podman) |NODE_OPTIONS=)[^`\n]*/g, '')
  const named = new Set([...ofTheGateway.matchAll(/(?<![\w-])--([a-z][a-z-]*)/g)].map(([, name = '']) => name))
  expect([...named].sort()).toEqual(flagNames('gateway').sort())
})

/** Names in Prometheus' text format. */
const exportedNames = (metrics: string) => [...metrics.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name)

it('the deployment guide lists exactly the metrics of the gateway', async () => {
  const documented = [...text.matchAll(/^\| `(slipway_gateway_\w+)`/gm)].map(([, name = '']) => name)
  const exported = exportedNames(await createMetrics(() => ({ calls: 0, streams: 0, sockets: 0 })).text())
  expect(documented.sort()).toEqual(exported.sort())
})

it('the YAML of the deployment guide can be applied unchanged', () => {
  const blocks = [...text.matchAll(/```yaml\n([^]*?)```/g)].map(([, block = '']) => block)
  const objects = blocks.flatMap((block) => parseAllDocuments(block).map((each) => each.toJS() as { kind?: string }))
  const kinds = objects.flatMap(({ kind }) => kind ?? [])
  expect(kinds).toEqual([
    'ClusterRole',
    'ClusterRoleBinding',
    'ServiceAccount',
    'Deployment',
    'Service',
    'ConfigMap',
    'Role',
    'RoleBinding',
    'ClusterRole',
  ])
})

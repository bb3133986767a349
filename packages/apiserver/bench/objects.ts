import type { AnyObject } from '../src/resource'

/** The stored objects: custom objects of 5 KB, shaped like a run with results. A label selects one in twenty. */

export const namespace = 'bench'
export const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'runs.bench.test' },
  spec: {
    group: 'bench.test',
    scope: 'Namespaced',
    names: { plural: 'runs', singular: 'run', kind: 'Run', listKind: 'RunList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { timeout: { type: 'string', default: '1h0m0s' } },
                'x-kubernetes-preserve-unknown-fields': true,
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
}
export const runsPathIn = (inNamespace: string): string => `/apis/bench.test/v1/namespaces/${inNamespace}/runs`
export const runsPath = runsPathIn(namespace)
export const selector = 'bench.test/team=team-7'
const teams = 20
const objectBytes = 5 * 1024

export function aRun(name: string, number: number, bytes = objectBytes): AnyObject {
  const run = {
    apiVersion: 'bench.test/v1',
    kind: 'Run',
    metadata: {
      name,
      namespace,
      labels: { 'bench.test/team': `team-${number % teams}`, 'bench.test/number': String(number) },
      annotations: { 'bench.test/commit': number.toString(16).padStart(40, '0') },
    },
    // Not in the status, which a creation ignores.
    spec: {
      timeout: '1h0m0s',
      params: [{ name: 'revision', value: 'main' }],
      results: [] as { name: string; value: string }[],
    },
  }
  const { results } = run.spec
  let missing = bytes - JSON.stringify(run).length
  for (let index = 0; missing > 0; index++) {
    const result = { name: `result-${index}`, value: `line ${index}\n"sha256:${'0123456789abcdef'.repeat(8)}"` }
    results.push(result)
    missing -= JSON.stringify(result).length + 1
  }
  return run
}

export const nameOf = (number: number): string => `run-${String(number).padStart(6, '0')}`

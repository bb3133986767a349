import { paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { labels } from '@slipway/model/labels'
import { type Release, releaseType } from '@slipway/model/supply-chain/release'
import { aRelease, condition } from '@slipway/model/testing'
import { hex, measureList, objectName } from './list'

const at = { namespace: 'bench-releases', application: 'bench' }
const count = 5_000
const imageCount = 20
const planCount = 5
const failsEvery = 7

const aLargeRelease = (index: number): Release =>
  aRelease({
    metadata: {
      name: objectName(index),
      namespace: at.namespace,
      labels: {
        [labels.application]: at.application,
        [labels.component]: `service-${index % imageCount}`,
        [labels.automated]: String(index % 2 === 0),
        [labels.author]: 'ada',
      },
    },
    spec: {
      releasePlan: `plan-${index % planCount}`,
      snapshot: `snapshot-${index}`,
      data: {
        releaseNotes: {
          topic: `Bound the retries of call ${index}`,
          references: [`https://docs.slipway.test/${index}`],
          cves: Array.from({ length: 5 }, (_, each) => ({
            key: `CVE-2026-${index * 5 + each}`,
            component: `service-${each}`,
            packages: ['openssl', 'zlib'],
          })),
        },
      },
    },
  })

const firstStartMs = Date.parse('2026-01-01T00:00:00Z')
const minuteMs = 60_000

function statusOf(index: number): Release['status'] {
  const time = (afterMs: number) =>
    new Date(firstStartMs + index * minuteMs + afterMs).toISOString().replace('.000Z', 'Z')
  const hasFailed = index % failsEvery === 0
  const ended = (type: string) => condition(type, hasFailed ? 'False' : 'True', hasFailed ? 'Failed' : 'Succeeded')
  const run = (name: string) => ({
    pipelineRun: `bench-managed/${name}-${index}`,
    startTime: time(0),
    completionTime: time(minuteMs),
  })
  return {
    target: 'bench-managed',
    startTime: time(0),
    completionTime: time(2 * minuteMs),
    conditions: [
      condition('Validated', 'True', 'Succeeded'),
      ...['TenantCollectors', 'ManagedCollectors', 'Final'].map((name) =>
        condition(`${name}PipelineProcessed`, 'True', 'Skipped'),
      ),
      condition('TenantPipelineProcessed', 'True', 'Succeeded'),
      ended('ManagedPipelineProcessed'),
      ended('Released'),
    ],
    tenantProcessing: run('tenant'),
    managedProcessing: run('managed'),
    artifacts: {
      images: Array.from({ length: imageCount }, (_, each) => ({
        name: `service-${each}`,
        arches: ['amd64', 'arm64'],
        shasum: `sha256:${hex(index * imageCount + each, 64)}`,
        urls: ['latest', `1.${index}`].map((tag) => `registry.slipway.test/released/service-${each}:${tag}`),
      })),
    },
  }
}

async function putRelease(system: KubeClient, index: number) {
  // A create request ignores the status.
  const created = await system.create(releaseType, aLargeRelease(index))
  await system.replaceStatus(releaseType, { ...created, status: statusOf(index) })
}

measureList({
  at,
  title: `${count} releases with ${imageCount} images each`,
  path: paths.releases(at),
  nameLink: 'table[aria-label="Releases"] [data-label="Name"] a[href*="/releases/"]',
  filter: 'name',
  count,
  create: putRelease,
})

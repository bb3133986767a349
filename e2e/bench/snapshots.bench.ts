import { paths } from '@slipway/console/paths'
import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import { snapshotType } from '@slipway/model/supply-chain/snapshot'
import { condition } from '@slipway/model/testing'
import { aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { hex, measureList, objectName } from './list'

const at = { namespace: 'bench-snapshots', application: 'bench' }
const count = 3_000
const componentCount = 50

const aLargeSnapshot = (index: number) =>
  aSnapshot({
    metadata: {
      name: objectName(index),
      namespace: at.namespace,
      labels: {
        [labels.application]: at.application,
        [labels.component]: `service-${index % componentCount}`,
        [copiedPacKey(labels.commitSha)]: hex(index, 40),
        [copiedPacKey(labels.eventType)]: index % 3 === 0 ? 'pull_request' : 'push',
        [copiedPacKey(labels.pullRequestNumber)]: String(index),
      },
      annotations: {
        [copiedPacKey(annotations.pacShaTitle)]: `Bound the retries of call ${index}`,
        [copiedPacKey(annotations.pacRepositoryUrl)]: 'https://github.com/payments/bench',
        [annotations.testStatus]: JSON.stringify(
          Array.from({ length: 5 }, (_, test) => ({
            scenario: `test-${test}`,
            status: 'TestPassed',
            details: 'passed',
          })),
        ),
      },
    },
    spec: {
      application: at.application,
      components: Array.from({ length: componentCount }, (_, each) => ({
        name: `service-${each}`,
        containerImage: `registry.slipway.test/payments/service-${each}@sha256:${hex(index * componentCount + each, 64)}`,
        source: { git: { url: `https://github.com/payments/service-${each}`, revision: hex(index + each, 40) } },
      })),
    },
    status: { conditions: [condition('AppStudioTestSucceeded', 'True', 'Passed')] },
  })

measureList({
  at,
  title: `${count} snapshots with ${componentCount} components each`,
  path: paths.snapshots(at),
  nameLink: 'table[aria-label="Snapshots"] [data-label="Name"] a[href*="/snapshots/"]',
  filter: 'name or commit',
  count,
  create: (system, index) => system.create(snapshotType, aLargeSnapshot(index)),
})

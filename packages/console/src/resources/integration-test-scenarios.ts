import { type FieldPath, fieldPath } from '@slipway/kube/field-mask'
import { integrationTestScenarioType } from '@slipway/model/supply-chain/integration-test-scenario'
import { labels } from '@slipway/model/labels'
import { listQuery } from '../api/queries'

const contextFields: readonly FieldPath[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.deletionTimestamp',
  fieldPath('metadata', 'labels', labels.optional),
  'spec.application',
  'spec.contexts.name',
]

export const integrationTestScenarios = {
  /** Only their applications and contexts. */
  contexts: (namespace: string) => listQuery(integrationTestScenarioType, { namespace, mask: contextFields }),
}

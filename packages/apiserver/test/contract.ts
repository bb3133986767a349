import { describe } from 'vitest'
import { accessContract } from './access-contract'
import { responsesContract } from './responses-contract'
import type { Api, Target } from './api-client'
import { eventually, widgetDefinition } from './api-fixtures'
import { applyContract } from './apply-contract'
import { clientContract } from './client-contract'
import { authenticationContract } from './authentication-contract'
import { definitionContract } from './definition-contract'
import { deleteContract } from './delete-contract'
import { discoveryContract } from './discovery-contract'
import { dryRunContract } from './dry-run-contract'
import { kindsContract } from './kinds-contract'
import { unsupportedContract } from './unsupported-contract'
import { limitsContract } from './limits-contract'
import { listWatchContract } from './list-watch-contract'
import { logContract } from './log-contract'
import { mediaTypesContract } from './media-types-contract'
import { rbacContract } from './rbac-contract'
import { readContract } from './read-contract'
import { representationContract } from './representation-contract'
import { secretsContract } from './secrets-contract'
import { statusContract } from './status-contract'
import { strategicPatchContract } from './strategic-patch-contract'
import { tableContract } from './table-contract'
import { watchContract } from './watch-contract'
import { writeContract } from './write-contract'
import { writeMatrixContract } from './write-matrix-contract'

const contracts: [string, (target: () => Target) => void][] = [
  ['writing', writeContract],
  ['the write matrix:', writeMatrixContract],
  ['a strategic merge patch', strategicPatchContract],
  ['deleting', deleteContract],
  ['an error for', statusContract],
  ['definitions:', definitionContract],
  ['a dry run', dryRunContract],
  ['applying', applyContract],
  ['kinds', kindsContract],
  ['limits', limitsContract],
  ['Secrets:', secretsContract],
  ['media types', mediaTypesContract],
  ['discovery', discoveryContract],
  ['reading', readContract],
  ['representations:', representationContract],
  ['a table', tableContract],
  ['lists and watches:', listWatchContract],
  ['watching', watchContract],
  ['access', accessContract],
  ['roles', rbacContract],
  ['unsupported APIs:', unsupportedContract],
  ['authentication', authenticationContract],
  ['a log', logContract],
  ['responses:', responsesContract],
  ['the client', clientContract],
]

/** The complete contract, for a prepared server. */
export function describeContract(target: () => Target): void {
  for (const [subject, contract] of contracts) describe(subject, () => contract(target))
}

/** Defines the custom kind that the contract uses, and waits until it is served. */
export async function prepareServer(api: Api): Promise<void> {
  await api.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgetDefinition)
  await eventually(async () => (await api.get('/apis/contract.test/v1/widgets')).code === 200)
}

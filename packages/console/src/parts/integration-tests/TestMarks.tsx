import { Label } from '@patternfly/react-core'
import { annotations } from '@slipway/model/labels'
import { enterpriseContractKind } from '@slipway/model/snapshots/integration-test-edit'
import type { IntegrationTestScenario } from '@slipway/model/snapshots/integration-test-scenario'
import { invalidReasonOf } from '@slipway/model/snapshots/integration-test-source'

/** What sets a test apart: that the platform does not run it, and that it checks the enterprise contract. */
export function TestMarks({ test }: { test: IntegrationTestScenario }) {
  const reason = invalidReasonOf(test)
  return (
    <>
      {reason && (
        <>
          {' '}
          <Label isCompact status="danger" title={reason}>
            Invalid
          </Label>
        </>
      )}
      {test.metadata.annotations?.[annotations.testKind] === enterpriseContractKind && (
        <>
          {' '}
          <Label isCompact variant="outline" title="Checks snapshots against the enterprise contract">
            Enterprise contract
          </Label>
        </>
      )}
    </>
  )
}

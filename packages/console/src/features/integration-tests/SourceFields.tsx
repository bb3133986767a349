import { Button, HelperText, HelperTextItem } from '@patternfly/react-core'
import { enterpriseContractSource, isEnterpriseContractSource } from '@slipway/model/snapshots/integration-test-edit'
import { useFormContext, useWatch } from 'react-hook-form'
import { fieldsOf } from '../../ui/form/fields'
import { useFillFields } from '../../ui/form/use-fill-fields'
import { GitSourceFields } from '../../parts/git/GitSourceFields'
import type { IntegrationTestInput } from './integration-test-form'

const { RadioField } = fieldsOf<IntegrationTestInput>()

interface SourceFieldsProps {
  /** Name of a new enterprise contract test, unless the user has entered one. */
  suggestedName?: string
}

/** The pipeline of a test: a file in a git repository. */
export function SourceFields({ suggestedName }: SourceFieldsProps) {
  const { getValues } = useFormContext<IntegrationTestInput>()
  const fill = useFillFields<IntegrationTestInput>()
  const [url, revision, path] = useWatch<IntegrationTestInput, ['url', 'revision', 'path']>({
    name: ['url', 'revision', 'path'],
  })
  const isEnterpriseContract = isEnterpriseContractSource({
    url: url.trim(),
    revision: revision.trim(),
    path: path.trim(),
  })
  return (
    <>
      <GitSourceFields examplePath="pipelines/integration-test.yaml" isRequired />
      <div>
        <Button
          variant="link"
          isInline
          isAriaDisabled={isEnterpriseContract}
          onClick={() =>
            fill({
              ...enterpriseContractSource,
              resourceKind: 'pipeline',
              ...(suggestedName && !getValues('name') && { name: suggestedName }),
            })
          }
        >
          Use enterprise contract defaults
        </Button>
        <HelperText isLiveRegion>
          {isEnterpriseContract && (
            <HelperTextItem>
              This test checks snapshots against the enterprise contract and is marked accordingly.
            </HelperTextItem>
          )}
        </HelperText>
      </div>
      <RadioField
        name="resourceKind"
        label="Kind of resource in the file"
        options={[
          { value: 'pipeline', label: 'Pipeline' },
          { value: 'pipelinerun', label: 'PipelineRun' },
        ]}
        isRequired
      />
    </>
  )
}

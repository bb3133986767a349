import { Button, Flex, FlexItem, Switch } from '@patternfly/react-core'
import { type KubeObject, nameOf } from '@slipway/kube/object'
import { useState } from 'react'
import { stringify } from 'yaml'
import { saveFile } from '../../lib/save-file'
import { CopyButton } from '../actions/CopyButton'
import { Dialog } from './Dialog'
import './ObjectYamlDialog.css'

interface ObjectYamlDialogProps {
  object: KubeObject
  onClose: () => void
}

/** An object as kubectl prints it, to read, copy and download. Fetched when it is first asked for, as YAML is heavy. */
export function ObjectYamlDialog({ object, onClose }: ObjectYamlDialogProps) {
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole ? object : withoutManagedFields(object)
  const text = stringify(shown, { lineWidth: 0, aliasDuplicateObjects: false })
  const title = `YAML of ${nameOf(object)}`
  return (
    <Dialog
      title={title}
      variant="large"
      onClose={onClose}
      footer={
        <Flex alignItems={{ default: 'alignItemsCenter' }}>
          <Button onClick={() => saveFile(`${nameOf(object)}.yaml`, [text], 'application/yaml')}>Download</Button>
          <FlexItem>
            <CopyButton text={text} noun="YAML" />
          </FlexItem>
          {object.metadata.managedFields && (
            <Switch label="Managed fields" isChecked={isWhole} onChange={(_, checked) => setIsWhole(checked)} />
          )}
        </Flex>
      }
    >
      <pre className="slipway-yaml" tabIndex={0} role="region" aria-label={title}>
        {text}
      </pre>
    </Dialog>
  )
}

/** What the API server notes about who wrote what: longer than all the rest, and seldom wanted. */
function withoutManagedFields(object: KubeObject): KubeObject {
  if (!object.metadata.managedFields) return object
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

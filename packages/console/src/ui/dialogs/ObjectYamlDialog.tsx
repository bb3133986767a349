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

/** An object as kubectl prints it, to read, copy and download. Loaded on demand: the YAML writer is large. */
export function ObjectYamlDialog({ object, onClose }: ObjectYamlDialogProps) {
  const [hasManagedFields, setHasManagedFields] = useState(false)
  const shown = hasManagedFields ? object : withoutManagedFields(object)
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
            <Switch
              label="Managed fields"
              isChecked={hasManagedFields}
              onChange={(_, checked) => setHasManagedFields(checked)}
            />
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

/** Drops the record of which client wrote which field: longer than everything else, and rarely needed. */
function withoutManagedFields(object: KubeObject): KubeObject {
  if (!object.metadata.managedFields) return object
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

import { parseRepositoryAddress } from '@slipway/model/import/repository-address'
import type { PipelineSource } from '@slipway/model/supply-chain/pipeline-source'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { fieldsOf } from '../form/fields'
import { useFillFields } from '../form/use-fill-fields'

const { TextField } = fieldsOf<PipelineSource>()

interface GitSourceFieldsProps {
  /** An example of the path of the file. */
  examplePath: string
  isRequired: boolean
}

/** A pipeline in a git repository. The address of a repository, branch or file can be pasted into the first field. */
export function GitSourceFields({ examplePath, isRequired }: GitSourceFieldsProps) {
  const url = useWatch<PipelineSource, 'url'>({ name: 'url' })
  const fill = useFillFields<PipelineSource>()
  const [pasted, setPasted] = useState<{ url: string; text: string }>()
  const paste = (text: string): boolean => {
    const address = parseRepositoryAddress(text)
    if (!address) return false
    const { revision, file: path } = address
    fill({ url: address.url, ...(revision && { revision }), ...(path && { path }) })
    const also = [...(revision ? [`revision ${revision}`] : []), ...(path ? [`path ${path}`] : [])]
    setPasted({ url: address.url, text: also.join(' and ') })
    return true
  }
  return (
    <>
      <TextField
        name="url"
        label="Git URL"
        description={
          pasted?.text && pasted.url === url
            ? `Also filled in from the pasted address: ${pasted.text}.`
            : 'You can paste the address of a repository, branch or file.'
        }
        placeholder="https://github.com/organization/repository"
        onPasted={paste}
        isRequired={isRequired}
      />
      <TextField name="revision" label="Revision" description="A branch, tag or commit." isRequired={isRequired} />
      <TextField
        name="path"
        label="Path in repository"
        description={`The YAML file of the pipeline, such as ${examplePath}.`}
        isRequired={isRequired}
      />
    </>
  )
}

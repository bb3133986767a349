import {
  parseRepositoryAddress,
  parseRepositoryPage,
  type RepositoryReference,
} from '@slipway/model/git/repository-address'
import type { PipelineSource } from '@slipway/model/builds/pipeline-source'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { fieldsOf } from '../../ui/form/fields'
import { useFillFields } from '../../ui/form/use-fill-fields'

const { TextField } = fieldsOf<PipelineSource>()

interface GitSourceFieldsProps {
  /** An example of the path of the file. */
  examplePath: string
  isRequired: boolean
}

/** A pipeline in a git repository. The first field takes the address of a repository, branch or file. */
export function GitSourceFields({ examplePath, isRequired }: GitSourceFieldsProps) {
  const url = useWatch<PipelineSource, 'url'>({ name: 'url' })
  const fill = useFillFields<PipelineSource>()
  const [filled, setFilled] = useState<{ url: string; text: string }>()
  const apply = (address: RepositoryReference | undefined, source = 'address'): boolean => {
    if (!address) return false
    const { revision, file: path } = address
    fill({ url: address.url, ...(revision && { revision }), ...(path && { path }) })
    const also = [...(revision ? [`revision ${revision}`] : []), ...(path ? [`path ${path}`] : [])]
    setFilled({ url: address.url, text: also.length > 0 ? `${source}: ${also.join(' and ')}` : '' })
    return true
  }
  return (
    <>
      <TextField
        name="url"
        label="Git URL"
        description={
          filled?.text && filled.url === url
            ? `Also filled in from the ${filled.text}.`
            : 'You can paste the address of a repository, branch or file.'
        }
        placeholder="https://github.com/organization/repository"
        onPasted={(text) => apply(parseRepositoryAddress(text), 'pasted address')}
        onEntered={(text) => apply(parseRepositoryPage(text))}
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

import { asArray, asRecord, asText } from '@slipway/kube/parse'
import { parse } from 'yaml'
import type { BuildPipeline, BuildPipelines } from './build-pipelines'

// Separate from the other facts on pipelines: the YAML parser is loaded only where there is something to parse.

/** @returns `undefined` if the text is not valid or names no pipeline */
export function parseBuildPipelines(text: string): BuildPipelines | undefined {
  const config = asRecord(parsed(text))
  const pipelines = asArray(config.pipelines).flatMap((entry) => {
    const { name, description } = asRecord(entry)
    const known = asText(name)
    return known ? [{ name: known, description: asText(description) }] : []
  })
  if (pipelines.length === 0) return undefined
  const isDefault = ({ name }: BuildPipeline) => name === asText(config['default-pipeline-name'])
  return { defaultName: pipelines.find(isDefault)?.name ?? '', pipelines }
}

function parsed(text: string): unknown {
  try {
    // By default the parser writes warnings to the console.
    return parse(text, { logLevel: 'error' })
  } catch {
    return undefined
  }
}

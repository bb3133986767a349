import { specOf } from '@slipway/kube/object'
import { annotations, labels } from '../labels'
import type { PipelineRun } from './pipeline-run'
import { webAddress, type PublicInfo } from '../platform/public-info'
import { snapshotOf } from './run-actions'
import { resultsOf } from './task-results'
import type { Run } from './tekton'

/** What a run has put out besides its status. */

const resultOf = (run: PipelineRun, name: string): string | undefined => {
  const value = resultsOf(run).find((result) => result.name === name)?.value
  // Tasks write them with `echo`, and what comes with it.
  return (typeof value === 'string' && value.trim()) || undefined
}

/** Address of the image that a run has built, as its service noted it or as its pipeline put it out. */
export const imageOf = (run: PipelineRun): string | undefined =>
  run.metadata.annotations?.[annotations.image]?.trim() || resultOf(run, 'IMAGE_URL')

/**
 * The command that fetches the bill of materials of an image. Source: sigstore/cosign, "Download SBOM". People paste it
 * into a shell, for which nothing that others have written may be more than one word.
 */
export const sbomCommand = (image: string): string =>
  `cosign download sbom ${/^[\w./:@-]+$/.test(image) ? image : `'${image.replaceAll("'", String.raw`'\''`)}'`}`

const placeholder = '<PLACEHOLDER>'

/**
 * Where the bill of materials of a run can be looked at: by its own address where the platform has a template for that,
 * else by the digest of the image. `undefined` without a template, without what goes in it, and when the outcome is
 * nothing that a browser should follow.
 */
export function sbomUrl(run: PipelineRun, { url, sbomSha }: PublicInfo['sbomServer']): string | undefined {
  const digest = resultOf(run, 'IMAGE_DIGEST')
  if (!digest) return undefined
  const blob = resultOf(run, 'SBOM_BLOB_URL')
  return webAddress(
    sbomSha && blob ? sbomSha.replace(placeholder, () => blob) : url?.replace(placeholder, () => digest),
  )
}

/** As the integration service writes it, typing error included: the reader would have to look for the name elsewhere. */
const createdMessage = /^Suc?cessfully created snapshot\. See annotation \S+ for name\.?$/

/** What became of the snapshot that a build should make; `undefined` before that is known, and for nonsense. */
export function snapshotCreationMessage(run: PipelineRun): string | undefined {
  const message = snapshotMessage(run)
  if (!message || !createdMessage.test(message)) return message
  const snapshot = snapshotOf(run)
  return snapshot ? `Successfully created snapshot ${snapshot}` : 'Successfully created snapshot'
}

function snapshotMessage({ metadata }: PipelineRun): string | undefined {
  const text = metadata.annotations?.[annotations.createSnapshotStatus]
  if (!text) return undefined
  try {
    const status: unknown = JSON.parse(text)
    const message = typeof status === 'object' && status !== null && 'message' in status ? status.message : undefined
    return typeof message === 'string' && message !== '' ? message : undefined
  } catch {
    return undefined
  }
}

/** Name of the pipeline that a run is of, wherever it comes from. */
export function pipelineNameOf(run: PipelineRun): string | undefined {
  const { pipelineRef } = specOf(run)
  const param = pipelineRef?.params?.find(({ name }) => name === 'name' || name === 'pathInRepo')?.value
  return (
    run.metadata.labels?.[labels.pipeline] ??
    pipelineRef?.name ??
    (typeof param === 'string' && param ? param : undefined)
  )
}

/** Runs whose report of Enterprise Contract is shown. */
export const hasSecurityReport = ({ metadata }: Run): boolean =>
  metadata.labels?.[labels.buildPipeline] === 'enterprise-contract'

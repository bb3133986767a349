import { specOf } from '@slipway/kube/object'
import { asArray, asRecord, asText, parseJson } from '@slipway/kube/parse'
import { annotations, labels } from '../labels'
import type { PipelineRun } from './pipeline-run'
import { webAddress } from '../web-address'
import type { PublicInfo } from '../platform/public-info'
import { snapshotOf } from './run-actions'
import { isScanTask, resultsOf } from './task-results'
import type { Run } from './tekton'

/** Outputs of a run besides its status. */

const resultOf = (run: Run, name: string): string | undefined => {
  const value = resultsOf(run).find((result) => result.name === name)?.value
  // Tasks write results with `echo`, which adds a newline.
  return asText(value)
}

/** URL of the image that a run or a task run built, from the annotation of the build service or from the pipeline's results. */
export const imageOf = (run: Run): string | undefined =>
  run.metadata.annotations?.[annotations.image]?.trim() || resultOf(run, 'IMAGE_URL')

/**
 * The same image by its digest, if the run reports one: a tag may belong to a later build by now.
 */
export function pinnedImageOf(run: Run): string | undefined {
  const image = imageOf(run)
  const digest = resultOf(run, 'IMAGE_DIGEST')
  if (!image || image.includes('@') || !digest || !/^sha\d+:[0-9a-f]+$/.test(digest)) return image
  return `${image.replace(/:[^/:]*$/, '')}@${digest}`
}

/** Those of containers, by the names that builds have for them. */
const architectures: Record<string, string> = { x86_64: 'amd64', aarch64: 'arm64' }

/**
 * The first platform that the run builds for, as containers name it: `linux/amd64`; `undefined` if the run does not say.
 * A pipeline that takes platforms makes an index of images, even for one.
 */
function platformOf(run: PipelineRun): string | undefined {
  const platformsIn = (params: unknown) =>
    asArray(params)
      .map(asRecord)
      .find(({ name }) => name === 'build-platforms')
  const platforms = platformsIn(specOf(run).params)?.value ?? platformsIn(run.status?.pipelineSpec?.params)?.default
  const [, architecture] = /^linux[^/]*\/([a-z0-9_]+)$/.exec(asText(asArray(platforms)[0]) ?? '') ?? []
  return architecture && `linux/${architectures[architecture] ?? architecture}`
}

/**
 * The command that downloads the bill of materials of the image that a run built. Source: sigstore/cosign, "Download
 * SBOM". Users paste it into a shell, so the image, which is untrusted, must be quoted as a single word.
 */
export function sbomCommand(run: PipelineRun): string | undefined {
  const image = pinnedImageOf(run)
  if (!image) return undefined
  const platform = platformOf(run)
  const word = /^[\w./:@-]+$/.test(image) ? image : `'${image.replaceAll("'", String.raw`'\''`)}'`
  return ['cosign download sbom', platform && `--platform ${platform}`, word].filter(Boolean).join(' ')
}

/** Where the bill of materials of what a run built is stored, as the run reports it. */
export const sbomBlobOf = (run: Run): string | undefined => resultOf(run, 'SBOM_BLOB_URL')

const placeholder = '<PLACEHOLDER>'

/**
 * URL of a run's bill of materials: by the digest of the document if the platform has a template for it, else by the
 * digest of the image. `undefined` without a template, without the digest, or if the result is not a safe link.
 */
export function sbomUrl(run: PipelineRun, { url, sbomSha }: PublicInfo['sbomServer']): string | undefined {
  const digest = resultOf(run, 'IMAGE_DIGEST')
  if (!digest) return undefined
  const blob = sbomBlobOf(run)
  return webAddress(
    sbomSha && blob ? sbomSha.replace(placeholder, () => blob) : url?.replace(placeholder, () => digest),
  )
}

/** The message of the integration service, including its typo. It would send the reader elsewhere for the name. */
const createdMessage = /^Suc?cessfully created snapshot\. See annotation \S+ for name\.?$/

/** Outcome of creating the snapshot of a build; `undefined` if unknown or invalid. */
export function snapshotCreationMessage(run: PipelineRun): string | undefined {
  const message = snapshotMessage(run)
  if (!message || !createdMessage.test(message)) return message
  const snapshot = snapshotOf(run)
  return snapshot ? `Successfully created snapshot ${snapshot}` : 'Successfully created snapshot'
}

const snapshotMessage = ({ metadata }: PipelineRun): string | undefined =>
  asText(asRecord(parseJson(metadata.annotations?.[annotations.createSnapshotStatus] ?? '')).message)

/** The pipeline of a run: `Nice pipeline (docker-build)`, or its name alone if it has no display name. */
export function pipelineTextOf(run: PipelineRun): string | undefined {
  const name = pipelineNameOf(run)
  const displayName = asText((run.status?.pipelineSpec ?? specOf(run).pipelineSpec)?.displayName)
  if (!displayName || displayName === name) return name
  return name ? `${displayName} (${name})` : displayName
}

/** Name of a run's pipeline, wherever it is defined. */
function pipelineNameOf(run: PipelineRun): string | undefined {
  const { pipelineRef } = specOf(run)
  const param = pipelineRef?.params?.find(({ name }) => name === 'name' || name === 'pathInRepo')?.value
  return (
    run.metadata.labels?.[labels.pipeline] ??
    pipelineRef?.name ??
    (typeof param === 'string' && param ? param : undefined)
  )
}

/** Whether a run has an Enterprise Contract report to show. */
export const hasSecurityReport = ({ metadata }: Run): boolean =>
  metadata.labels?.[labels.buildPipeline] === 'enterprise-contract'

/** Whether a run has a scan for vulnerabilities, as far as its status tells. */
export const hasScan = ({ status }: PipelineRun): boolean =>
  [...asArray(status?.childReferences), ...asArray(status?.pipelineSpec?.tasks)]
    .map(asRecord)
    .some(({ pipelineTaskName, name }) => isScanTask(pipelineTaskName) || isScanTask(name))

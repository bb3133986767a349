import { nameOf, namespaceOf } from '@slipway/kube/object'
import type { JsonPatchOperation } from '@slipway/kube/client'
import { componentType, type Component } from '@slipway/model/builds/component'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { repositoryType } from '@slipway/model/builds/repository'
import { isFinished } from '@slipway/model/runs/tekton'
import { defineController, type Controller, type ControllerContext } from '../controller'
import { builtImageOf, completedMetadata, hasSucceeded, isPushBuild } from '../integration/build-facts'
import type { PlatformVersion } from '../platform-version'

/** How many runs the status of a Repository lists. */
const maxRuns = 5

/**
 * Records a finished build on its component, and in the legacy platform also on its Repository. The build itself is
 * marked as completed last, so that an interruption loses nothing.
 */
export const buildReports = (platform: PlatformVersion): Controller =>
  defineController<PipelineRun>({
    name: 'build-reports',
    type: pipelineRunType,
    filter: ({ metadata }) => metadata.labels?.[labels.repository] !== undefined,
    reads: [componentType, repositoryType],
    writes: [
      [pipelineRunType, 'patch'],
      [repositoryType, 'update'],
      [componentType, 'update', 'updateStatus'],
    ],
    async reconcile(run, context) {
      const isReported = run.metadata.labels?.[labels.runState] === 'completed'
      if (!isFinished(run) || isReported || run.metadata.deletionTimestamp) return
      if (platform === 'legacy') await updateRepository(run, context)
      const isPromoted = isPushBuild(run) && hasSucceeded(run) && (await updateComponent(run, context))
      await context.client.patch(pipelineRunType, nameOf(run), completionOf(run, isPromoted, context), {
        namespace: namespaceOf(run),
      })
    },
  })

const segment = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')

function completionOf(run: PipelineRun, isPromoted: boolean, { timestamp }: ControllerContext): JsonPatchOperation[] {
  const marks = completedMetadata(run, isPromoted, timestamp())
  const additions = (field: 'labels' | 'annotations'): JsonPatchOperation[] =>
    run.metadata[field]
      ? Object.entries(marks[field]).map(([key, value]) => ({
          op: 'add',
          path: `/metadata/${field}/${segment(key)}`,
          value,
        }))
      : [{ op: 'add', path: `/metadata/${field}`, value: marks[field] }]
  return [...additions('labels'), ...additions('annotations')]
}

async function updateRepository(run: PipelineRun, { client, informer }: ControllerContext) {
  const repository = informer(repositoryType).get(namespaceOf(run), run.metadata.labels?.[labels.repository] ?? '')
  const known = repository?.pipelinerun_status ?? []
  if (!repository || known.some(({ pipelineRunName }) => pipelineRunName === nameOf(run))) return
  const { conditions, startTime, completionTime } = run.status ?? {}
  const marks = run.metadata.annotations ?? {}
  const entry = {
    conditions,
    pipelineRunName: nameOf(run),
    startTime,
    completionTime,
    sha: run.metadata.labels?.[labels.commitSha],
    sha_url: marks[annotations.pacShaUrl],
    title: marks[annotations.pacShaTitle],
    target_branch: marks[annotations.pacBranch],
    event_type: run.metadata.labels?.[labels.eventType],
    logurl: marks[annotations.pacLogUrl],
  }
  await client.replace(repositoryType, { ...repository, pipelinerun_status: [...known, entry].slice(-maxRuns) })
}

/** @returns whether the component now has the image of this build, rather than that of a build started later */
async function updateComponent(run: PipelineRun, { client, informer }: ControllerContext): Promise<boolean> {
  const component = informer(componentType).get(namespaceOf(run), run.metadata.labels?.[labels.component] ?? '')
  const image = builtImageOf(run)
  if (!component || component.metadata.deletionTimestamp || !image) return false
  const startedAt = Math.floor(Date.parse(run.metadata.creationTimestamp ?? '') / 1_000)
  const lastBuiltAt = Number(component.metadata.annotations?.[annotations.lastBuiltTime] ?? 0)
  if (lastBuiltAt > startedAt) return false
  const status: Component['status'] = {
    ...component.status,
    lastBuiltCommit: run.metadata.labels?.[labels.commitSha],
    lastPromotedImage: image,
  }
  const { metadata } = await client.replaceStatus(componentType, { ...component, status })
  if (lastBuiltAt === startedAt) return true
  const marks = { ...metadata.annotations, [annotations.lastBuiltTime]: String(startedAt) }
  await client.replace(componentType, { ...component, metadata: { ...metadata, annotations: marks } })
  return true
}

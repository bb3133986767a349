import { nameOf, namespaceOf, type KubeObject } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { releaseType, type Release } from '@slipway/model/releases/release'
import type { ReleasePipeline, ReleasePlan, ReleasePlanAdmission } from '@slipway/model/releases/release-plan'
import type { Param } from '@slipway/model/runs/tekton'
import { generatedName } from '../generated-name'
import type { Random } from '../keyed-random'
import { outcomeAnnotation } from '../tekton/outcome'
import { traceOf } from '../trace-context'
import type { PlatformVersion } from '../platform-version'
import { phases, type ReleasePhase } from './phases'
import { attemptsOf, withMitigations } from './retries'

export interface ReleaseRunInput {
  phase: ReleasePhase
  release: Release
  plan: ReleasePlan
  admission: ReleasePlanAdmission | undefined
  /** Default: `current`. */
  platform?: PlatformVersion
  random(key: string): Random
  /** Whether another run has this name. */
  isTaken?(name: string): boolean
}

const qualifiedName = ({ metadata }: KubeObject) => `${metadata.namespace}/${metadata.name}`

export const runNamespaceOf = ({ phase, plan, admission }: Pick<ReleaseRunInput, 'phase' | 'plan' | 'admission'>) =>
  namespaceOf((phases[phase].runsIn === 'admission' && admission) || plan) ?? ''

/**
 * The run of one of the pipelines of a release; `undefined` if that pipeline is not defined. After failed attempts, it
 * is the next one. Its name depends only on the release, the pipeline, and the number of the attempt.
 */
export function releaseRunFor(input: ReleaseRunInput): PipelineRun | undefined {
  const { phase, release, plan, admission, platform = 'current', random, isTaken } = input
  const pipeline = phases[phase].pipelineOf(plan, admission)
  if (!pipeline) return undefined
  const { pipelineRef, serviceAccountName, timeouts } = pipeline
  const isNumbered = phase === 'managed' && platform === 'current'
  const earlier = isNumbered ? attemptsOf(release).filter(({ completionTime }) => completionTime) : []
  const key = [`${phase} run of ${qualifiedName(release)}`, ...(earlier.length > 0 ? [earlier.length + 1] : [])]
  const run: PipelineRun = {
    apiVersion: apiVersionOf(pipelineRunType),
    kind: pipelineRunType.kind,
    metadata: {
      name: generatedName(`${phase}-`, random(key.join(' ')), isTaken),
      generateName: `${phase}-`,
      namespace: runNamespaceOf(input),
      labels: {
        [labels.application]: plan.spec.application,
        [labels.pipelineType]: phase,
        [labels.releaseName]: nameOf(release),
        [labels.releaseNamespace]: namespaceOf(release) ?? '',
        [labels.releaseSnapshot]: release.spec.snapshot,
        ...(isNumbered && { [labels.releaseAttempt]: String(earlier.length + 1) }),
      },
      annotations: annotationsOf(input),
    },
    spec: {
      params: paramsOf(input, pipeline),
      pipelineRef: { resolver: pipelineRef.resolver, params: pipelineRef.params, ...optionalName(pipelineRef.name) },
      taskRunTemplate: { serviceAccountName: serviceAccountName ?? 'default' },
      timeouts: timeouts && Object.keys(timeouts).length > 0 ? timeouts : { pipeline: '4h0m0s' },
      workspaces: [{ name: 'release-workspace', ...workspaceOf(pipelineRef) }],
    },
  }
  return withMitigations(run, earlier)
}

const optionalName = (name: string | undefined) => (name ? { name } : {})

const workspaceOf = ({ useEmptyDir }: ReleasePipeline['pipelineRef']) =>
  useEmptyDir
    ? { emptyDir: {} }
    : {
        volumeClaimTemplate: {
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      }

function annotationsOf({ phase, release, plan, admission }: ReleaseRunInput): Record<string, string> {
  const copied = Object.entries(release.metadata.annotations ?? {}).filter(([key]) =>
    key.startsWith('pac.test.appstudio.openshift.io/'),
  )
  const definedBy = phases[phase].runsIn === 'admission' ? admission : plan
  const outcome = [release, definedBy].map((each) => each?.metadata.annotations?.[outcomeAnnotation]).find(Boolean)
  return {
    ...Object.fromEntries(copied),
    ...traceOf(release),
    'operator-sdk/primary-resource': qualifiedName(release),
    'operator-sdk/primary-resource-type': `${releaseType.kind}.${releaseType.group}`,
    ...(outcome && { [outcomeAnnotation]: outcome }),
  }
}

function paramsOf({ phase, release, plan, admission }: ReleaseRunInput, pipeline: ReleasePipeline): Param[] {
  const isManaged = phases[phase].runsIn === 'admission' && admission
  const { resolver, params = [], ociStorage } = pipeline.pipelineRef
  const fromGit = (name: string) => params.find((param) => resolver === 'git' && param.name === name)?.value
  const all: [string, Param['value'] | undefined][] = [
    ['release', qualifiedName(release)],
    ['releasePlan', qualifiedName(plan)],
    ['releasePlanAdmission', isManaged ? qualifiedName(admission) : undefined],
    ['releaseServiceConfig', isManaged ? 'release-service/release-service-config' : undefined],
    ['snapshot', `${namespaceOf(release) ?? ''}/${release.spec.snapshot}`],
    ['policy', isManaged ? admission.spec.policy : undefined],
    ['ociStorage', ociStorage],
    ['taskGitUrl', fromGit('url')],
    ['taskGitRevision', fromGit('revision')],
  ]
  const given = all.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]))
  return [...given, ...(pipeline.params ?? [])]
}

import { annotations } from '../labels'
import type { PipelineRun } from '../runs/pipeline-run'
import { startKey } from '../runs/tekton'
import type { Component } from './component'

/**
 * Sort key of components by the start of their newest push build; empty for one that is not known to have been built.
 * A build that the cluster no longer has is represented by the time that the platform has noted on the component.
 * @param builds those in the cluster, newest start first
 */
export function newestBuildKey({ metadata }: Component, [newest]: readonly PipelineRun[]): string {
  if (newest) return startKey(newest)
  const noted = new Date(Number(metadata.annotations?.[annotations.lastBuiltTime] || NaN) * 1000)
  return Number.isNaN(noted.getTime()) ? '' : noted.toISOString().replace(/\.\d+/, '')
}

import { queryOptions } from '@tanstack/react-query'
import { archiveStaleMs } from '../api/archive/archive'
import { reportingTaskRuns } from './reporting-task-runs'
import { listedFields } from './task-runs'

export const scanTaskRuns = {
  /** The task runs of finished builds that have a report, with what is needed to read it. */
  of: (namespace: string, pipelineRuns: string[]) =>
    queryOptions({
      queryKey: ['scan-task-runs', namespace, ...pipelineRuns],
      queryFn: () => reportingTaskRuns(namespace, pipelineRuns, listedFields),
      enabled: pipelineRuns.length > 0,
      staleTime: archiveStaleMs,
      // Sharing would copy the objects, and copies lose the mark of their origin.
      structuralSharing: false,
    }),
}

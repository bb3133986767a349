import type { SqlTerm } from '../store/pages'

/** The variables of a filter, and their location in the store. */
export interface View {
  variables: Record<string, Variable>
  constants: Record<string, string | number>
  /** Columns that duplicate a value in a document, by its path. */
  columns?: Record<string, string>
}

export interface Variable extends SqlTerm {
  /** `json` is a document whose fields can be used. */
  type: 'string' | 'timestamp' | 'int' | 'json'
  /** Fields that are separate columns. */
  members?: Record<string, Variable>
}

const column = (sql: string, type: Variable['type']): Variable => ({ sql, params: [], type })
const inJson = (path: string) => `json_extract(o.json, '${path}')`

const scopeColumn = (name: string) => `(SELECT s.${name} FROM scopes s WHERE s.id = o.scope)`
const dataType = `(SELECT CASE s."group" WHEN '' THEN '' ELSE s."group" || '/' END || s.version || '.' || s.kind
  FROM scopes s WHERE s.id = o.scope)`

const typeConstants = { PIPELINE_RUN: 'tekton.dev/v1.PipelineRun', TASK_RUN: 'tekton.dev/v1.TaskRun' }

/** Source: tektoncd/results, pkg/api/server/cel/env.go. */
export const recordView: View = {
  constants: typeConstants,
  columns: {
    '$."metadata"."name"': 'o.name',
    '$."metadata"."uid"': 'o.uid',
    '$."metadata"."namespace"': scopeColumn('namespace'),
  },
  variables: {
    parent: column(scopeColumn('namespace'), 'string'),
    result_name: column('o.result', 'string'),
    name: column('o.uid', 'string'),
    data_type: column(dataType, 'string'),
    data: column('o.json', 'json'),
  },
}

export const summaryStatus = { UNKNOWN: 0, SUCCESS: 1, FAILURE: 2, TIMEOUT: 3, CANCELLED: 4 } as const

/** Annotations of a run that contain JSON for its result. */
export const resultAnnotations = {
  result: 'results.tekton.dev/resultAnnotations',
  summary: 'results.tekton.dev/recordSummaryAnnotations',
} as const

/** Annotations that every result of a run has besides: its name, and its pipeline if it has one. */
export const objectNameKey = 'object.metadata.name'
export const pipelineLabel = 'tekton.dev/pipeline'

const annotation = (key: string) => {
  const text = inJson(`$.metadata.annotations."${key}"`)
  return `CASE WHEN json_valid(${text}) THEN ${text} ELSE '{}' END`
}
const ownAnnotations = `json_object('${objectNameKey}', o.name,
  '${pipelineLabel}', ${inJson(`$.metadata.labels."${pipelineLabel}"`)})`
const succeeded = (field: string) => `(SELECT json_extract(c.value, '$.${field}')
  FROM json_each(o.json, '$.status.conditions') c WHERE json_extract(c.value, '$.type') = 'Succeeded')`
const statusColumn = `CASE ${succeeded('status')} WHEN 'True' THEN 1
  WHEN 'False' THEN CASE
    WHEN ${succeeded('reason')} IN ('PipelineRunTimeout', 'TaskRunTimeout') THEN 3
    WHEN ${succeeded('reason')} IN ('Cancelled', 'TaskRunCancelled', 'CancelledRunningFinally') THEN 4
    ELSE 2 END
  ELSE 0 END`

/** Source: tektoncd/results, pkg/api/server/cel/env.go. */
export const resultView: View = {
  constants: { ...typeConstants, ...summaryStatus },
  variables: {
    parent: column(scopeColumn('namespace'), 'string'),
    uid: column('o.uid', 'string'),
    create_time: column('o.created', 'timestamp'),
    update_time: column('o.updated', 'timestamp'),
    annotations: column(`json_patch(${annotation(resultAnnotations.result)}, ${ownAnnotations})`, 'json'),
    summary: {
      ...column('NULL', 'json'),
      members: {
        record: column(`${scopeColumn('namespace')} || '/results/' || o.result || '/records/' || o.uid`, 'string'),
        type: column(dataType, 'string'),
        status: column(statusColumn, 'int'),
        start_time: column(`ms_of(${inJson('$.status.startTime')})`, 'timestamp'),
        end_time: column(`ms_of(${inJson('$.status.completionTime')})`, 'timestamp'),
        annotations: column(annotation(resultAnnotations.summary), 'json'),
      },
    },
  },
}

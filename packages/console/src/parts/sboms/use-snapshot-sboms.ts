import type { TaskRun } from '@slipway/model/runs/task-run'
import { componentsIn, type Snapshot } from '@slipway/model/snapshots/snapshot'
import type { ComponentSbom, SbomLog } from '@slipway/model/sboms/sbom'
import { pipelineRunOf } from '@slipway/model/vulnerabilities/scans'
import { useMemo } from 'react'
import type { MissingPart, RowKind } from '../../api/source'
import { sboms } from '../../resources/sboms'
import { type Reports, useReports } from '../security/use-reports'
import { useSnapshotTaskRuns } from '../snapshots/use-snapshot-task-runs'

/** The packages of the images of a snapshot, as far as their builds have printed them. */
export function useSnapshotSboms(snapshot: Snapshot): Reports<ComponentSbom> {
  const { known, taskRuns, perComponent } = useSnapshotTaskRuns(snapshot, sbomTask)
  const reports = useReports({ name: 'SBOMs', known, taskRuns, queryOf: sboms.of, rowOf, kind: printedRows })
  const rows = useMemo(() => reports.rows && perComponent(reports.rows), [reports.rows, perComponent])
  const gaps = (rows ?? []).flatMap(({ component, gap }): MissingPart[] => {
    const image = componentsIn(snapshot).find(({ name }) => name === component)?.containerImage
    return gap ? [{ name: `the packages of ${component}`, error: new Error(`${gap} ${commandFor(image)}`) }] : []
  })
  return { ...reports, rows, kind: sbomRows, missing: [...reports.missing, ...gaps] }
}

interface PrintedSbom extends SbomLog {
  pipelineRun: string
}

const rowOf = (taskRun: TaskRun, sbom: SbomLog): PrintedSbom => ({ ...sbom, pipelineRun: pipelineRunOf(taskRun) })

const printedRows: RowKind<PrintedSbom> = {
  idOf: ({ pipelineRun }) => pipelineRun,
  nameOf: ({ pipelineRun }) => pipelineRun,
  isBeingDeleted: () => false,
}
const sbomRows: RowKind<ComponentSbom> = {
  idOf: ({ component }) => component,
  nameOf: ({ component }) => component,
  isBeingDeleted: () => false,
}

const sbomTask: Parameters<typeof useSnapshotTaskRuns>[1] = {
  name: 'SBOMs',
  queryOf: sboms.taskRuns,
  isOne: () => true,
  absent: ({ name, containerImage }) => [
    `the packages of ${name}`,
    `Its build has no task that shows its SBOM. ${commandFor(containerImage)}`,
  ],
}

/** A browser cannot read what is in a registry. */
const commandFor = (image: string | undefined): string =>
  image ? `You can read it in the registry with: cosign download sbom ${image}` : ''

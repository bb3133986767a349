import { nameOf, specOf } from '@slipway/kube/object'
import { asRecord, asText } from '@slipway/kube/parse'
import { toComponentName } from '../builds/component-name'
import { labels as platformLabels } from '../labels'
import type { Release } from './release'
import type { ReleasePlan } from './release-plan'
import { needsAdmission } from './release-plan-verdict'
import type { Snapshot } from '../snapshots/snapshot'
import { isUnmerged } from '../snapshots/snapshot-origin'
import { snapshotStatus } from '../snapshots/snapshot-status'

/** A release that a user triggers, with its release notes. Specification 3, sections 3, 5 and 7. */

export const bugStatuses = ['Unresolved', 'Resolved'] as const

/** A bug that a release fixes. */
export interface FixedBug {
  id: string
  /** URL of the bug. */
  source: string
  /** `MM-DD-YYYY`, or empty; like the status and the summary, it is not part of the release notes. */
  uploadDate: string
  status: (typeof bugStatuses)[number]
  summary: string
}

/** A vulnerability that a release fixes. */
export interface FixedCve {
  /** Such as `CVE-2026-1234`. */
  key: string
  /** Empty if it is not known. */
  component: string
  packages: string[]
}

export interface TriggeredRelease {
  namespace: string
  /** Of the plan; `undefined` for a plan of a component group. */
  application?: string
  releasePlan: string
  snapshot: string
  synopsis: string
  topic: string
  description: string
  solution: string
  references: readonly string[]
  bugs: readonly FixedBug[]
  cves: readonly FixedCve[]
  labels: Readonly<Record<string, string>>
}

/**
 * The release with only what was entered: blank texts and empty lists are left out. It is labelled with its application
 * at once, as the release service will do: the releases of an application are selected by that label.
 */
export function buildRelease({ namespace, application, releasePlan, snapshot, ...entered }: TriggeredRelease): Release {
  const { labels: ownLabels, ...notes } = entered
  const labels = { ...ownLabels, ...(application && { [platformLabels.application]: application }) }
  const releaseNotes = releaseNotesOf(notes)
  return {
    metadata: {
      namespace,
      // The cluster appends five random characters.
      generateName: releasePlan,
      ...(Object.keys(labels).length > 0 && { labels }),
    },
    spec: { releasePlan, snapshot, ...(Object.keys(releaseNotes).length > 0 && { data: { releaseNotes } }) },
  }
}

type Notes = Omit<TriggeredRelease, 'namespace' | 'application' | 'releasePlan' | 'snapshot' | 'labels'>

function releaseNotesOf({ synopsis, topic, description, solution, references, bugs, cves }: Notes) {
  const texts = Object.entries({ synopsis, topic, description, solution }).flatMap(([name, text]) => {
    const entered = asText(text)
    return entered ? [[name, entered]] : []
  })
  return {
    ...Object.fromEntries(texts),
    ...withEntries('references', textsOf(references)),
    ...(bugs.length > 0 && { issues: { fixed: bugs.map(({ id, source }) => ({ id, source })) } }),
    ...withEntries(
      'cves',
      cves.map(({ key, component, packages }) => ({
        key,
        ...(component && { component: toComponentName(component) }),
        ...withEntries('packages', textsOf(packages)),
      })),
    ),
  }
}

const textsOf = (texts: readonly string[]): string[] => texts.flatMap((text) => asText(text) ?? [])

const withEntries = (name: string, entries: readonly unknown[]) => (entries.length > 0 ? { [name]: entries } : {})

const datePattern = /^(\d{2})-(\d{2})-(\d{4})$/

/** Whether a text is a day of the calendar, as `MM-DD-YYYY`. */
export function isUploadDate(text: string): boolean {
  const [, month, day, year] = datePattern.exec(text) ?? []
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`)
  // A day that the month does not have becomes one of the next month.
  return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day)
}

/** Today, or another day, as `MM-DD-YYYY` in the time zone of the user. */
export function toUploadDate(date: Date): string {
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'))
  return `${month}-${day}-${date.getFullYear()}`
}

/** The application of a plan; `undefined` for a plan of a component group. */
export const applicationOfPlan = (plan: ReleasePlan): string | undefined => asText(specOf(plan).application)

/**
 * Why a release of a plan would fail its validation as things are, which may change until it is validated.
 * Source: release-service, controllers/release.
 */
export function planConcern(plan: ReleasePlan): string | undefined {
  const { target } = specOf(plan)
  const { name, active } = asRecord(plan.status?.releasePlanAdmission)
  const admission = asText(name)
  if (admission && active === false) return `The admission ${admission} blocks releases.`
  if (admission || !needsAdmission(plan)) return undefined
  return target
    ? `No release plan admission in ${target} matches ${nameOf(plan)}, and without one its releases fail.`
    : `${nameOf(plan)} has neither a pipeline nor a target, so its releases fail.`
}

/** Why a user may not want to release a snapshot. */
export function snapshotConcern(snapshot: Snapshot): string | undefined {
  const concern = {
    Invalid: 'This snapshot is invalid.',
    Failed: 'Required integration tests of this snapshot failed.',
    Cancelled: 'The integration tests of this snapshot were cancelled.',
    'In Progress': 'The integration tests of this snapshot have not finished.',
    Pending: 'The integration tests of this snapshot have not started.',
    Unknown: undefined,
    Succeeded: undefined,
  }[snapshotStatus(snapshot)]
  const unmerged = isUnmerged(snapshot) ? 'Its changes have not been merged.' : undefined
  return [concern, unmerged].filter(Boolean).join(' ') || undefined
}

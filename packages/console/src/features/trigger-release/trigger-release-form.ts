import { toComponentName } from '@slipway/model/builds/component-name'
import { type KubeObject, nameOf } from '@slipway/kube/object'
import { sharedNameError } from '@slipway/model/resource-name'
import { maxUrlLength, urlTooLong } from '@slipway/model/git/git-url'
import { bugKey, cveKey } from '@slipway/model/releases/named-fixes'
import { releaseType } from '@slipway/model/releases/release'
import type { ReleasePlan } from '@slipway/model/releases/release-plan'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import {
  bugStatuses,
  buildRelease,
  type FixedBug,
  type FixedCve,
  isUploadDate,
} from '@slipway/model/releases/triggered-release'
import * as z from 'zod/mini'
import { originOf } from '../../api/archive/origin'
import { create, type Write } from '../../api/writes/writes'
import { trimmedText } from '../../ui/form/issue-unless'
import { type LabelRow, labelRows, labelsOf } from '../../parts/labels/label-rows'

export interface TriggerInput {
  releasePlan: string
  snapshot: string
  bugs: FixedBug[]
  cves: FixedCve[]
  synopsis: string
  topic: string
  description: string
  solution: string
  /** Rows of fields must be objects. */
  references: { url: string }[]
  labels: LabelRow[]
}

export const emptyTrigger: TriggerInput = {
  releasePlan: '',
  snapshot: '',
  bugs: [],
  cves: [],
  synopsis: '',
  topic: '',
  description: '',
  solution: '',
  references: [],
  labels: [],
}

const required = trimmedText((text) => (text === '' ? 'Required' : undefined))

function urlError(text: string): string | undefined {
  if (text.length > maxUrlLength) return urlTooLong
  const isWeb = URL.canParse(text) && /^https?:\/\//i.test(text)
  return isWeb ? undefined : 'Invalid URL.'
}

/**
 * An object that is selected. The shared rule applies to names from the address of the page: a cluster accepts longer
 * ones than a form does, and what it lists can be selected.
 * @param listed what can be selected; `undefined` while that is not known
 */
const selected = (noun: string, listed: readonly KubeObject[] | undefined) =>
  trimmedText((name) => {
    if (name === '') return 'Required'
    if (listed && findNamed(listed, name)) return undefined
    return sharedNameError(name) ?? (listed && `There is no ${noun} ${name}. It may have been deleted.`)
  })

/** Whether a release can refer to an object: it is in the cluster, and will stay there. */
export const isSelectable = (object: KubeObject): boolean => !object.metadata.deletionTimestamp && !originOf(object)

export const findNamed = <T extends KubeObject>(objects: readonly T[] | undefined, name: string): T | undefined =>
  objects?.find((object) => nameOf(object) === name && isSelectable(object))

/** What the fields offer. */
export interface Choices {
  plans: readonly ReleasePlan[]
  /** The snapshots of the selected plan's application; `undefined` while they are not known. */
  snapshots: readonly Snapshot[] | undefined
}

const bug = z.object({
  id: required,
  source: trimmedText((text) => (text === '' ? 'Required' : urlError(text))),
  uploadDate: trimmedText((text) =>
    text === '' || isUploadDate(text) ? undefined : 'Must be a date in the format MM-DD-YYYY.',
  ),
  status: z.enum(bugStatuses),
  summary: z.string(),
})

const packages = z.array(z.object({ name: z.string() }))
const cve = z.object({ key: required, component: z.string(), packages })

export const triggerSchema = ({ plans, snapshots }: Choices) =>
  z.object({
    releasePlan: selected('release plan', plans),
    snapshot: selected('snapshot', snapshots),
    bugs: z.array(z.custom<FixedBug>()),
    cves: z.array(z.custom<FixedCve>()),
    synopsis: z.string(),
    topic: z.string(),
    description: z.string(),
    solution: z.string(),
    // A row that is left empty is not written.
    references: z.array(z.object({ url: trimmedText((text) => (text === '' ? undefined : urlError(text))) })),
    labels: labelRows,
  })

/** @param others bugs that the list has already */
export const bugSchema = (others: readonly FixedBug[]) =>
  bug.check(z.refine((input) => !repeatsBug(input, others), { error: 'Repeated' }))

/** @param others CVEs that the list has already */
export const cveSchema = (others: readonly FixedCve[]) =>
  cve.check(z.refine((input) => !repeatsCve(input, others), { error: 'Repeated' }))

// Asked by the dialogs too: the error of several fields together is in their footer.
export const repeatsBug = (input: FixedBug, others: readonly FixedBug[]): boolean =>
  others.map(bugKey).includes(bugKey(toBug(input)))

export const repeatsCve = (input: CveInput, others: readonly FixedCve[]): boolean =>
  others.map(cveKey).includes(cveKey(toCve(input)))

export type CveInput = z.infer<typeof cve>

export const toBug = (input: FixedBug): FixedBug => ({
  ...input,
  id: input.id.trim(),
  source: input.source.trim(),
  uploadDate: input.uploadDate.trim(),
  summary: input.summary.trim(),
})

export const toCve = ({ key, component, packages: rows }: CveInput): FixedCve => ({
  key: key.trim(),
  component: toComponentName(component),
  packages: rows.map(({ name }) => name.trim()).filter(Boolean),
})

export const cveInput = ({ packages: names, ...entry }: FixedCve): CveInput => ({
  ...entry,
  packages: names.map((name) => ({ name })),
})

/** @param application of the plan */
export const toWrites = (
  { namespace, application }: { namespace: string; application?: string },
  { references, labels, ...input }: TriggerInput,
): Write[] => [
  create(
    releaseType,
    buildRelease({
      ...input,
      namespace,
      application,
      references: references.map(({ url }) => url),
      labels: labelsOf(labels),
    }),
  ),
]

/** The fields that the members of a written release come from. */
export const triggerErrorFields = {
  'metadata.generateName': 'releasePlan',
  'metadata.labels': 'labels',
  'spec.releasePlan': 'releasePlan',
  'spec.snapshot': 'snapshot',
} as const

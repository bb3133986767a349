import { isRecord, specOf } from '@slipway/kube/object'
import { asArray, asRecord, asText } from '@slipway/kube/parse'
import { type Term, termsOf } from '../builds/artifact-terms'
import type { Release } from './release'

export interface FixedIssue {
  id: string
  /** The tracker; a URL, or its host. */
  source: string | undefined
  /** `MM-DD-YYYY`, or the text itself if it is not a date. */
  uploadDate: string | undefined
}

export interface FixedCve {
  key: string
  component: string | undefined
  packages: string[]
}

/** What a release says about itself. */
export interface ReleaseNotes {
  synopsis: string | undefined
  topic: string | undefined
  description: string | undefined
  solution: string | undefined
  references: string[]
  /** From the notes, and found by collectors. */
  issues: FixedIssue[]
  cves: FixedCve[]
  /** Fields that are not known. */
  others: Term[]
}

/** The notes are a convention that nothing validates. @returns `undefined` if there are none */
export function releaseNotes(release: Release): ReleaseNotes | undefined {
  const own = asRecord(asRecord(specOf(release).data).releaseNotes)
  const { synopsis, topic, description, solution, references, issues, cves, ...others } = own
  const all = [{ issues, cves }, ...collected(release)].map(asRecord)
  const notes: ReleaseNotes = {
    synopsis: asText(synopsis),
    topic: asText(topic),
    description: asText(description),
    solution: asText(solution),
    references: textsIn(references),
    issues: unique(all.flatMap((each) => asArray(asRecord(each.issues).fixed).flatMap(issueOf))),
    cves: unique(all.flatMap((each) => asArray(each.cves).flatMap(cveOf))),
    others: Object.keys(others).length > 0 ? termsOf(others) : [],
  }
  return Object.values(notes).some((value) => value !== undefined && value.length > 0) ? notes : undefined
}

/** The notes that collectors have found, by scope and collector. */
const collected = ({ status }: Release): unknown[] =>
  Object.values(asRecord(status?.collectors))
    .flatMap((scope) => Object.values(asRecord(scope)))
    .map((collector) => asRecord(collector).releaseNotes)

/** A list of texts, or a single one. */
const textsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((each) => asText(each) ?? [])

function issueOf(value: unknown): FixedIssue[] {
  if (!isRecord(value)) return []
  const id = typeof value.id === 'number' ? String(value.id) : asText(value.id)
  return id ? [{ id, source: asText(value.source), uploadDate: dayOf(asText(value.uploadDate)) }] : []
}

/** The day of an RFC 3339 time, as the specification formats it. */
const dayOf = (time: string | undefined) => time?.replace(/^(\d{4})-(\d\d)-(\d\d)(T.*)?$/, '$2-$3-$1')

function cveOf(value: unknown): FixedCve[] {
  if (!isRecord(value)) return []
  const key = asText(value.key)
  return key ? [{ key, component: asText(value.component), packages: textsIn(value.packages) }] : []
}

const unique = <T>(items: T[]): T[] => [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]

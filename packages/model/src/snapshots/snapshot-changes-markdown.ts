import { foundVulnerabilities, type Vulnerabilities } from '../runs/task-results'
import { isSha, shortSha } from '../git/git-facts'
import { imageIdOf, shortImage, type SnapshotComponent } from './snapshot'
import { type ComponentChange, summaryOf } from './snapshot-changes'
import type { SnapshotVulnerabilities } from './snapshot-vulnerabilities'

/** A comparison of two snapshots, as text for a chat, an issue or release notes. */

interface Compared {
  name: string
  vulnerabilities: SnapshotVulnerabilities
}

/** @param changes from the first snapshot to the second; unchanged components are only counted */
export function changesAsMarkdown(from: Compared, to: Compared, changes: readonly ComponentChange[]): string {
  const rows = changes
    .filter(({ kind }) => kind !== 'Unchanged')
    .map((change) => [
      code(change.name),
      change.kind,
      commitsText(change),
      imagesText(change),
      vulnerabilitiesText(change, from.vulnerabilities, to.vulnerabilities),
    ])
  return [
    `**Changes from ${code(from.name)} to ${code(to.name)}**: ${summaryOf(changes)}`,
    `Vulnerabilities: ${totalText(from.vulnerabilities)} → ${totalText(to.vulnerabilities)}`,
    ...(rows.length > 0 ? [[...header, ...rows.map(line)].join('\n')] : []),
  ].join('\n\n')
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const titles = ['Component', 'Change', 'Commits', 'Image', 'Vulnerabilities']
const header = [line(titles), line(titles.map(() => '---'))]

function commitsText({ from, to, commits }: ComponentChange): string {
  if (!commits) return '-'
  const range = beforeAndAfter(from && revisionText(commits.from), to && revisionText(commits.to))
  const text = commits.isOtherRepository ? `${range} (other repository)` : range
  return commits.url ? `[${text}](${commits.url.replace(/[()|]/g, percentEncode)})` : text
}

/** For the characters that would end a link or a cell: URLs may contain them, and `encodeURIComponent` retains some. */
const percentEncode = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

const revisionText = (revision: string | undefined): string =>
  revision ? code(isSha(revision) ? shortSha(revision) : revision) : 'unknown'

function imagesText({ from, to, hasNewImage }: ComponentChange): string {
  if (!hasNewImage) return to && imageIdOf(to) ? 'same image' : 'unknown'
  return beforeAndAfter(from && imageText(from), to && imageText(to))
}

function imageText(component: SnapshotComponent): string {
  const image = imageIdOf(component)
  return image ? code(shortImage(image)) : 'unknown'
}

function vulnerabilitiesText(
  { from, to }: ComponentChange,
  before: SnapshotVulnerabilities,
  after: SnapshotVulnerabilities,
): string {
  return beforeAndAfter(from && countsText(before.byComponent.get(from)), to && countsText(after.byComponent.get(to)))
}

/** Only one of them for a component that is in one snapshot. */
const beforeAndAfter = (before: string | undefined, after: string | undefined): string =>
  [before, after].filter(Boolean).join(' → ') || '-'

function totalText({ total, imageCount, scannedCount }: SnapshotVulnerabilities): string {
  if (imageCount === 0) return 'no images'
  const images = `${scannedCount} of ${imageCount} ${imageCount === 1 ? 'image' : 'images'}`
  return scannedCount < imageCount ? `${countsText(total)} (${images} scanned)` : countsText(total)
}

function countsText(counts: Vulnerabilities | undefined): string {
  if (!counts) return 'unknown'
  const found = foundVulnerabilities(counts).map(({ severity, count }) => `${severity} ${count}`)
  return found.length > 0 ? found.join(', ') : 'none'
}

/** Untrusted text, which must end neither the code nor the cell of a table. */
const code = (text: string): string => `\`${text.replace(/[`|\r\n]/g, ' ')}\``

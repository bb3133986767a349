import type { Release } from '@slipway/model/releases/release'
import { type FixedCve, type FixedIssue, releaseNotes } from '@slipway/model/releases/release-notes'
import type { ReactNode } from 'react'
import { type DetailItem, Details } from '../../ui/page/Details'
import { Section } from '../../ui/page/Section'
import { FoldedMarkdown } from '../../ui/text/Markdown'
import { TermDetails } from './TermDetails'
import { WebText } from './WebText'
import './releases.css'

/** What a release says about itself; nothing if it says nothing. */
export function ReleaseNotesSection({ release }: { release: Release }) {
  const notes = releaseNotes(release)
  if (!notes) return null
  const { synopsis, topic, description, solution, references, issues, cves, others } = notes
  const items: DetailItem[] = [
    ['Synopsis', synopsis],
    ['Topic', <FoldedMarkdown text={topic} />],
    ['Description', <FoldedMarkdown text={description} />],
    ['Solution', <FoldedMarkdown text={solution} />],
    ['References', listOf(references, (url) => <WebText text={url} />)],
    ['Fixed bugs', listOf(issues, (issue) => <Issue {...issue} />)],
    ['Fixed CVEs', listOf(cves, cveText)],
  ]
  return (
    <Section title="Release notes">
      <Details label="Release notes" items={items} />
      {others.length > 0 && <TermDetails label="More release notes" terms={others} />}
    </Section>
  )
}

/** One item per line. */
const listOf = <T,>(items: readonly T[], text: (item: T) => ReactNode): ReactNode =>
  items.length === 0 ? undefined : (
    <ul className="slipway-lines">
      {items.map((item, index) => (
        // Items may repeat, and the list does not change.
        <li key={index}>{text(item)}</li>
      ))}
    </ul>
  )

const Issue = ({ id, source, uploadDate }: FixedIssue) => (
  <>
    {id}
    {source && (
      <>
        {', '}
        <WebText text={source} />
      </>
    )}
    {uploadDate && `, ${uploadDate}`}
  </>
)

const cveText = ({ key, component, packages }: FixedCve): string =>
  [key, component && `in ${component}`, packages.length > 0 && `(${packages.join(', ')})`].filter(Boolean).join(' ')

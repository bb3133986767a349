import { Content, Title } from '@patternfly/react-core'
import type { Term, TermList } from '@slipway/model/builds/artifact-terms'
import { type ReleasedImage, releaseArtifacts } from '@slipway/model/releases/release-artifacts'
import { releaseNotes } from '@slipway/model/releases/release-notes'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type RowKind, useFixed } from '../../api/source'
import { type ApplicationParams, paths } from '../../paths'
import { releases } from '../../resources/releases'
import { CopyButton } from '../../ui/actions/CopyButton'
import { ComponentLink } from '../../parts/links'
import { type DetailItem, Details } from '../../ui/page/Details'
import { Section } from '../../ui/page/Section'
import { route } from '../../ui/page/route'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { byName, nameColumn } from '../../ui/table/common-columns'
import { ListTable } from '../../ui/table/ListTable'
import type { RowDetails } from '../../ui/table/row-ids'
import type { Column, Filter } from '../../ui/table/rows'
import { TermDetails } from './TermDetails'
import { WebText } from './WebText'
import './releases.css'

export const page = route(paths.releaseArtifacts)

export { ReleaseArtifactsTab as Component }
function ReleaseArtifactsTab() {
  const { namespace, application, release: name } = page.useParams()
  const { data: release } = useSuspenseQuery(releases.get(namespace, name))
  const { images, urls, additional, unrecognized } = releaseArtifacts(release)
  const references = releaseNotes(release)?.references ?? []
  const released: DetailItem[] = [
    ['Release notes references', references.length > 0 ? <Addresses texts={references} noun="reference" /> : undefined],
    ...urls.map(({ label, text }): DetailItem => [label, <Addresses texts={[text]} noun={label} />]),
  ]
  return (
    <>
      {released.some(([, value]) => value !== undefined) && (
        <Section title="Released URLs">
          <Details label="Released URLs" items={released} />
        </Section>
      )}
      <Section title="Components">
        <ImageTable images={images} at={{ namespace, application }} />
      </Section>
      <TermSection title="Additional artifacts" lists={additional} />
      {unrecognized.length > 0 && (
        <TermSection title="Other data" lists={unrecognized}>
          The pipelines of this release have written these artifacts in a form that is not known here.
        </TermSection>
      )}
    </>
  )
}

/** Addresses to follow or copy: that of an image is not the address of a web page. */
const Addresses = ({ texts, noun }: { texts: readonly string[]; noun: string }) => (
  <ul className="slipway-lines">
    {texts.map((text, index) => (
      <li key={index}>
        <WebText text={text} /> <CopyButton text={text} noun={noun} />
      </li>
    ))}
  </ul>
)

interface TermSectionProps {
  title: string
  lists: readonly TermList[]
  children?: string
}

function TermSection({ title, lists, children }: TermSectionProps) {
  if (lists.length === 0) return null
  return (
    <Section title={title}>
      {children && <Content component="p">{children}</Content>}
      {lists.map(({ name, terms }) => (
        <section key={name} aria-label={name}>
          <Title headingLevel="h3" size="md">
            {name}
          </Title>
          <TermDetails label={name} terms={terms} />
        </section>
      ))}
    </Section>
  )
}

interface ImageRow extends ReleasedImage {
  /** Names may repeat or be missing. */
  index: number
}

const imageRows: RowKind<ImageRow> = {
  idOf: ({ index }) => String(index),
  nameOf: ({ name, urls: [url], index }) => name ?? url ?? `image ${index + 1}`,
  isBeingDeleted: () => false,
}

function ImageTable({ images, at }: { images: readonly ReleasedImage[]; at: ApplicationParams }) {
  const rows = images.map((image, index) => ({ ...image, index }))
  return (
    <ListTable
      label="Released components"
      at={at}
      source={useFixed(rows, imageRows)}
      columns={columns}
      filters={filters}
      details={detailsOf}
      empty={<MessagePanel variant="sm" headingLevel="h3" titleText="No release artifacts images found" />}
    />
  )
}

const columns: Column<ImageRow, ApplicationParams>[] = [
  nameColumn(imageRows.nameOf, {
    label: 'Component',
    width: 25,
    sortBy: ({ name }) => name,
    cell: ({ name }, at) => (name ? <ComponentLink at={at} component={name} /> : '-'),
  }),
  {
    id: 'url',
    label: 'URL',
    cell: ({ urls: [url], name }) =>
      url ? (
        <>
          {/* First, so that it is not cut off with the tag. */}
          <CopyButton text={url} noun={`URL of ${name ?? 'the image'}`} /> <WebText text={url} />
        </>
      ) : (
        '-'
      ),
  },
  {
    id: 'arches',
    label: 'Architectures',
    width: 20,
    cell: ({ arches }) => (arches.length > 0 ? arches.join(', ') : '-'),
  },
]

const filters: Filter<ImageRow>[] = [byName(({ name = '' }) => name)]

/** Its additional URLs, and everything else that the release says about the image. */
const detailsOf: RowDetails<ImageRow, ApplicationParams> = ({ name, urls: [, ...urls], others }) => {
  const terms: Term[] = [...(urls.length > 0 ? [{ term: 'Additional URLs', values: urls }] : []), ...others]
  return terms.length > 0 && <TermDetails label={`Details of ${name ?? 'the image'}`} terms={terms} />
}

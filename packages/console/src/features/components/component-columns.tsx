import { nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import type { Component } from '@slipway/model/builds/component'
import { paths } from '../../paths'
import { RepositoryLink, RevisionLink } from '../../parts/components/SourceLinks'
import { type InApplication, pathIn } from '../../parts/links'
import { ImageAddress } from '../../parts/text/ImageAddress'
import { nameColumn } from '../../ui/table/common-columns'
import type { Column } from '../../ui/table/rows'

/** What the rows of every table of components have. */
interface ComponentRow {
  component: Component
}

export const placeOf = ({ component }: ComponentRow): InApplication => ({
  namespace: namespaceOf(component),
  application: specOf(component).application,
})

/** The columns that need nothing but the component. */
export const componentColumns = {
  name: nameColumn(({ component }) => nameOf(component), {
    label: 'Component',
    linkTo: (row) => pathIn(placeOf(row), (at) => paths.component({ ...at, component: nameOf(row.component) })),
  }),
  source: {
    id: 'source',
    label: 'Source',
    width: 15,
    visibleFrom: 'lg',
    cell: ({ component }) => (
      <>
        <RepositoryLink component={component} /> <RevisionLink component={component} />
      </>
    ),
  },
  image: {
    id: 'image',
    label: 'Image',
    width: 10,
    visibleFrom: 'wide',
    cell: ({ component }) => {
      const { containerImage: image } = specOf(component)
      return image ? <ImageAddress image={image} noun={`image of ${nameOf(component)}`} /> : '-'
    },
  },
} satisfies Record<string, Column<ComponentRow>>
